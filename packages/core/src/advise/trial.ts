import type { AssessOptions } from '../assess/assess.js'
import type { ReleaseAssessment } from '../assess/assessment.js'
import { answerOf } from '../assess/run.js'
import { type OpenedCase, openCase } from '../case/open-case.js'
import type { Release } from '../table/release.js'
import type { Table } from '../table/table.js'
import { type AdvisedFiles, type Candidate, carryOut, type Making } from './candidate.js'
import type { Change } from './change.js'
import { type GaugedUtility, type UtilityGauge, utilityGauge } from './utility-gauge.js'

/** What is advised on: the Case as it was opened for `assess`, and the tables that it was opened with. */
export interface AdviseInput {
  readonly opened: OpenedCase
  readonly files: AdvisedFiles
}

/** One plan, carried out and measured by the measures that decide; utility beside it. */
export interface Trial {
  readonly plan: readonly Change[]
  /** Of what was drawn to make the release. */
  readonly seed: number
  readonly candidate: Candidate
  readonly assessment: ReleaseAssessment
  readonly utility: GaugedUtility
}

export interface Laboratory {
  readonly input: AdviseInput
  try(plan: readonly Change[], seeds: Seeds): Promise<Trial>
}

/** `making` fixes what is drawn to make a release; `measuring` what is drawn to measure it. */
export interface Seeds {
  readonly making: number
  readonly measuring: number
}

/** Measures every candidate by the same judge, with the same draws; the controls of utility are found once. */
export async function laboratory(input: AdviseInput, run: AssessOptions): Promise<Laboratory> {
  const plain = built(input, input.files)
  const gauge = await utilityGauge(plain, run)
  return {
    input,
    async try(plan, { making, measuring }) {
      const { keys, numericKeys, weight, household } = input.opened.release
      const made: Making = {
        seed: making,
        roles: { keys, numericKeys, weight, household },
        tasks: run.tasks,
        signal: run.signal,
      }
      const candidate = await carryOut(plan, input.files, made)
      const assessment = await judged(built(input, candidate.files), { ...run, seed: measuring })
      const utility = await usefulness(gauge, input, candidate.usable)
      return { plan, seed: making, candidate, assessment, utility }
    },
  }
}

async function judged(release: Release, run: AssessOptions): Promise<ReleaseAssessment> {
  const { assessment } = await answerOf(release, { ...run, side: 'risk', profile: 'quick' })
  return assessment.releases[0]
}

function usefulness(gauge: UtilityGauge, input: AdviseInput, usable: Table): Promise<GaugedUtility> {
  return gauge.of(built(input, { ...input.files, released: usable }))
}

/**
 * As the files of an assessment become a release; of the same type as the release advised on. What was said about values that are
 * spelled differently holds; values that a trial has made are not asked about.
 */
function built({ opened }: AdviseInput, { types: _, ...files }: AdvisedFiles): Release {
  const { attackerColumns: __, identifier: ___, synthesizer: ____, ...asked } = opened.case
  return openCase({ ...asked, type: opened.release.type, matchLevels: asked.matchLevels ?? false }, files).release
}
