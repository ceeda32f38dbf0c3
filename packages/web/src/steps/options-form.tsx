import { type Json, optionFromText } from '@scrim/core'
import { useEffect, useId, useState } from 'preact/hooks'
import type { OptionInfo, OptionValues } from '../engine/protocol.js'
import { optionText } from '../option-text.js'
import { Field } from './field.js'

/** A form made from the declaration of options; only what was changed is kept. */
export function OptionsForm({
  of,
  describe,
  values,
  onChange,
}: {
  /** Whose options, to look them up again when it changes. */
  of: string
  describe: (of: string) => Promise<readonly OptionInfo[]>
  values: OptionValues
  onChange: (name: string, value: Json | undefined) => void
}) {
  const [found, setFound] = useState<{ of: string; options: readonly OptionInfo[] } | null>(null)
  useEffect(() => {
    let isGone = false
    describe(of).then(
      (options) => !isGone && setFound({ of, options }),
      () => {},
    )
    return () => {
      isGone = true
    }
  }, [of])
  if (found?.of !== of) return <p role="status">Looking up the options …</p>
  if (found.options.length === 0) return <p class="grey">There is nothing to choose.</p>
  return (
    <ul class="options">
      {found.options.map((option) => (
        <Option key={option.name} option={option} value={values[option.name]} onChange={onChange} />
      ))}
    </ul>
  )
}

function Option({
  option,
  value,
  onChange,
}: {
  option: OptionInfo
  value: Json | undefined
  onChange: (name: string, value: Json | undefined) => void
}) {
  const { name, about, usual, schema } = option
  const id = useId()
  const shown = value === undefined ? usual : optionText(value)
  const choices = schema.type === 'boolean' ? ['true', 'false'] : choicesOf(schema.enum)
  const take = (text: string) => {
    const isUsual = text.trim() === usual || text.trim() === ''
    onChange(name, isUsual ? undefined : (optionFromText(schema, [], text.trim()).value as Json))
  }
  return (
    <li class={value === undefined ? '' : 'changed'}>
      <label for={id}>{name}</label>{' '}
      {choices === null ? (
        <Field
          id={id}
          type="text"
          value={shown}
          placeholder={usual === '' ? 'as the measure decides' : ''}
          onValue={take}
        />
      ) : (
        <select id={id} value={shown} onChange={({ currentTarget }) => take(currentTarget.value)}>
          {usual === '' ? <option value="">as the measure decides</option> : null}
          {choices.map((choice) => (
            <option key={choice} value={choice}>
              {choice}
            </option>
          ))}
        </select>
      )}{' '}
      {value === undefined ? null : (
        <button type="button" class="small" onClick={() => onChange(name, undefined)}>
          as usual <span class="unseen">for {name}</span>
        </button>
      )}
      <span class="grey small about">{about}</span>
    </li>
  )
}

function choicesOf(values: readonly unknown[] | undefined): readonly string[] | null {
  return values?.every((one) => typeof one === 'string') === true ? (values as readonly string[]) : null
}
