import { Damaged } from '../bytes/damage.js'
import { NA_INTEGER } from './source.js'
import { type Attributes, NULL, type RValue } from './values.js'

/**
 * Vectors that R keeps in a shorter way and saves so (ALTREP, R 3.5 and newer): sequences, numbers that are to become texts,
 * and wrappers around other vectors. Classes of other packages are refused: only they know what their state means.
 */
export function altrep(info: RValue, state: RValue, attributes: Attributes): RValue {
  const name = info.type === 'list' && info.values[0]?.type === 'symbol' ? info.values[0].name : ''
  switch (name) {
    case 'compact_intseq':
    case 'compact_realseq':
      return sequence(state, attributes)
    case 'deferred_string':
      return { type: 'texts', values: printed(firstOf(state)), attributes }
    default: {
      const wrapped = /^wrap_/.test(name) ? firstOf(state) : undefined
      if (wrapped === undefined || wrapped.type === 'symbol')
        throw new Damaged(`it holds a vector of the kind "${name}", which only its own package can read`)
      return attributes.size === 0 ? wrapped : { ...wrapped, attributes }
    }
  }
}

/** A wrapper comes with what it wraps and what is known about it. */
function firstOf(state: RValue): RValue {
  return state.type === 'list' ? (state.values[0] ?? NULL) : NULL
}

function sequence(state: RValue, attributes: Attributes): RValue {
  if (state.type !== 'double' && state.type !== 'integer') throw new Damaged('a sequence has no length')
  const [length, from, step] = state.values
  if (!Number.isInteger(length) || length < 0 || !Number.isFinite(from) || !Number.isFinite(step))
    throw new Damaged('a sequence has no length')
  return { type: 'sequence', length, from, step, attributes }
}

/** Numbers as R prints them: up to 15 significant digits. */
function printed(value: RValue): readonly (string | null)[] {
  if (value.type === 'sequence' && value.length <= LONGEST_PRINTED)
    return Array.from({ length: value.length }, (_, k) => asText(value.from + k * value.step))
  if (value.type !== 'integer' && value.type !== 'double')
    throw new Damaged('numbers that are to be texts are not there')
  return Array.from(value.values, (number) =>
    Number.isNaN(number) || (value.type === 'integer' && number === NA_INTEGER) ? null : asText(number),
  )
}

const LONGEST_PRINTED = 1e7
const SIGNIFICANT = 15

/** Fixed unless the exponent is shorter, as R has it. */
function asText(value: number): string {
  if (!Number.isFinite(value)) return value > 0 ? 'Inf' : '-Inf'
  const [digits, exponentText] = value.toExponential(SIGNIFICANT - 1).split('e')
  const exponent = Number(exponentText)
  const shortest = digits.includes('.') ? digits.replace(/\.?0+$/, '') : digits
  const decimals = Math.max(0, shortest.replace(/[-.]/g, '').length - 1 - exponent)
  const fixed = value.toFixed(Math.min(100, decimals))
  const sign = exponent < 0 ? '-' : '+'
  const scientific = `${shortest}e${sign}${String(Math.abs(exponent)).padStart(2, '0')}`
  return fixed.length <= scientific.length ? fixed : scientific
}
