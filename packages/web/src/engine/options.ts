import { appetiteSchema, CHECK_OPTIONS, measures, outputRiskOptions, PRESETS, z } from '@scrim/core'
import { optionText } from '../option-text.js'
import type { OptionInfo } from './protocol.js'

/** The options of a measure, of the risk of outputs, or the limits of a preset (`limits/acro`), from their declaration. */
export function optionsOf(of: string): readonly OptionInfo[] {
  const preset = Object.entries(PRESETS).find(([name]) => of === `limits/${name}`)?.[1]
  if (preset !== undefined) return described(appetiteSchema, preset)
  if (of === 'output-risk') return described(outputRiskOptions, CHECK_OPTIONS)
  const measure = measures.find(({ id }) => id === of)
  return measure === undefined ? [] : described(measure.options, {})
}

function described(schema: z.ZodObject, usual: Readonly<Record<string, unknown>>): readonly OptionInfo[] {
  const { properties = {} } = z.toJSONSchema(schema, { io: 'input', unrepresentable: 'any' })
  return Object.entries(properties).flatMap(([name, property]) =>
    typeof property === 'boolean'
      ? []
      : [
          {
            name,
            about: property.description ?? '',
            usual: optionText(Object.hasOwn(usual, name) ? usual[name] : property.default),
            schema: property,
          },
        ],
  )
}
