import { type AssessOptions, assess } from '../assess/assess.js'
import { conclude, type ReleaseAssessment } from '../assess/assessment.js'
import type { Result } from '../measure.js'
import { measures } from '../measures.js'
import { inspect } from '../table/inspect.js'
import { type Release, type ReleaseInput, release } from '../table/release.js'
import type { Table } from '../table/table.js'
import { throwIfAborted } from '../tasks/task.js'
import { type AdvisedFiles, type Candidate, carryOut, type MakeHow } from './candidate.js'
import type { Change } from './change.js'
import { type GaugedUtility, type UtilityGauge, utilityGauge } from './utility-gauge.js'

/** What is advised on: the release as it was built for `assess`, and the tables that it was built from. */
export interface AdviseInput {
  readonly release: Release
  readonly files: AdvisedFiles
  readonly matchLevels?: boolean | undefined
  /** Of the release as it is: how numbers are grouped for all measures. */
  readonly groups?: ReleaseInput['groups']
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
export async function laboratory(input: AdviseInput, how: AssessOptions): Promise<Laboratory> {
  const plain = built(input, input.files)
  const gauge = await utilityGauge(plain, how)
  return {
    input,
    async try(plan, { making, measuring }) {
      const { keys, numericKeys, weight, household } = input.release
      const makeHow: MakeHow = {
        seed: making,
        roles: { keys, numericKeys, weight, household },
        tasks: how.tasks,
        signal: how.signal,
      }
      const candidate = await carryOut(plan, input.files, makeHow)
      const assessment = await judged(built(input, candidate.files), { ...how, seed: measuring })
      const utility = await usefulness(gauge, input, candidate.usable)
      return { plan, seed: making, candidate, assessment, utility }
    },
  }
}

async function judged(of: Release, how: AssessOptions): Promise<ReleaseAssessment> {
  const results: Result[] = []
  for await (const result of assess(of, { ...how, side: 'risk', profile: 'quick' })) results.push(result)
  throwIfAborted(how.signal)
  return conclude(of, results, measures).releases[0]
}

function usefulness(gauge: UtilityGauge, input: AdviseInput, usable: Table): Promise<GaugedUtility> {
  return gauge.of(built(input, { ...input.files, released: usable }))
}

/** As the files of an assessment become a release; of the same type as the release advised on. */
function built(input: AdviseInput, files: AdvisedFiles): Release {
  const { keys, numericKeys, targets, weight, household, type } = input.release
  const columns = [...keys, ...numericKeys, ...targets, weight ?? '', household ?? '']
  const inspected = inspect({
    ...files,
    released: [files.released],
    inRole: new Set(columns),
    matchLevels: input.matchLevels ?? false,
  })
  const roles = { keys, numericKeys, target: targets, weight: weight ?? undefined, household: household ?? undefined }
  return release({ ...inspected, ...roles, type, groups: input.groups })
}
