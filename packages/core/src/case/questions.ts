import { type Discretion, INTERNAL } from '../discretion.js'
import { UserError } from '../errors.js'
import { percent } from '../print.js'
import type { ReleaseType } from '../table/release.js'

/**
 * What only a person can answer about files. A face asks in its own way; what was said goes into the Case: `answers` by the id of
 * the question, `matchLevels` for all of them, `type` for how the release was made.
 */
export type Question = LevelsQuestion | UnitQuestion | NameQuestion | TypeQuestion

export type SameOrDifferent = 'same' | 'different'

/** Are levels that are spelled differently from the original the same? */
interface LevelsQuestion extends AboutColumn {
  readonly kind: 'same-levels'
  readonly levels: readonly { readonly level: string; readonly original: string }[]
  /** Records of the file that have such a level. */
  readonly share: number
}

/** Are numbers that would be those of the original in another unit the same? */
interface UnitQuestion extends AboutColumn {
  readonly kind: 'same-unit'
  /** By what the numbers of the file would be multiplied. */
  readonly factor: number
}

/** Is a column that only the release has one of the original's under another name? */
interface NameQuestion extends AboutColumn {
  readonly kind: 'same-column'
  /** What the original calls it. */
  readonly named: string
}

interface AboutColumn {
  /** `file:column` */
  readonly id: string
  readonly file: string
  readonly column: string
  readonly original: string
  readonly answers: readonly SameOrDifferent[]
  /** What was said; null where nobody has. */
  readonly answer: SameOrDifferent | null
}

/** How was the release made? Without an answer it is not known. */
export interface TypeQuestion {
  readonly kind: 'release-type'
  readonly id: 'type'
  readonly answers: readonly ReleaseType[]
  readonly answer: ReleaseType | null
}

/** The files can be read in two ways, and nobody has said which; `questions` without an `answer` are open. */
export class OpenQuestions extends UserError {
  readonly questions: readonly ColumnQuestion[]

  constructor(questions: readonly ColumnQuestion[]) {
    const open = questions.filter(({ answer }) => answer === null)
    super([
      ...open.map((question) => questionText(question)),
      `are these the same values? matchLevels: true or false says so for all of them, answers: { ${JSON.stringify(open[0]?.id)}: "same" } for one`,
    ])
    this.questions = questions
  }
}

/** A question that has to be answered before anything is measured. */
export type ColumnQuestion = LevelsQuestion | UnitQuestion | NameQuestion

const SHOWN = 3

/** What is asked about, in a sentence; how values are written only somebody inside may see. */
export function questionText(question: Question, numbers: Discretion = INTERNAL): string {
  switch (question.kind) {
    case 'same-levels': {
      const { column, file, original, levels, share } = question
      const shown = levels.slice(0, SHOWN).map((each) => `"${each.level}" for "${each.original}"`)
      const more = levels.length > SHOWN ? ` and ${levels.length - SHOWN} more` : ''
      const examples = `: ${shown.join(', ')}${more} (${percent(share, 0)} of its records)`
      return `"${column}" is spelled differently in ${file} than in ${original}${numbers.withValues(examples, '')}`
    }
    case 'same-unit': {
      const { column, file, original, factor } = question
      const times = (factor > 1 ? factor : 1 / factor).toLocaleString('en-US', { maximumFractionDigits: 0 })
      return `"${column}" is in other units in ${file} than in ${original}: ${times} times ${factor > 1 ? 'smaller' : 'larger'}`
    }
    case 'same-column': {
      const { column, file, original, named } = question
      return `"${column}" of ${file} seems to be "${named}" of ${original} under another name: it has its values`
    }
    case 'release-type':
      return 'How was the release made? synthetic; perturbed, row i derives from row i of the original; or not known'
  }
}
