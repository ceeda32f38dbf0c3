import {
  type AbortSignalLike,
  type Chart,
  inline,
  type Synthesizer,
  type Table,
  type TaskRunner,
  throwIfAborted,
} from '@scrim/core'
import type { Check } from '../comparison.js'
import { membershipCharts } from './charts.js'
import { ATTACKED, type AttackedGenerator, type MembershipDesign } from './design.js'
import type { PlayedSetting, Setting } from './play.js'
import { membershipChecks, membershipFigures, type StudyFigure } from './tables.js'
import { membershipTask } from './task.js'

/**
 * Membership attacks beside each other: shared information and memorisation, which are scrim's own, and those that the field
 * trusts, on releases of many generators. Who needs no shadow models attacks one release; who trains them needs hundreds of
 * the same generator, with and without the person. How much more do they see?
 */
export interface MembershipStudy {
  readonly design: MembershipDesign
  readonly tables: readonly []
  readonly figures: readonly StudyFigure[]
  readonly checks: readonly Check[]
  readonly charts: readonly Chart[]
}

export interface MembershipHow {
  readonly tasks?: TaskRunner | undefined
  readonly progress?: ((done: number, total: number, what: string) => void) | undefined
  readonly signal?: AbortSignalLike | undefined
  /** Settings that were played before, and what to do with one that was played now. */
  readonly before?: readonly PlayedSetting[] | undefined
  readonly played?: ((setting: PlayedSetting) => void) | undefined
}

export interface StudiedData {
  readonly name: string
  readonly people: Table
}

/** Generators of one's own beside the built-in ones, by the name that results have for them. */
export interface OwnGenerator {
  readonly name: string
  readonly synthesizer: Synthesizer
}

export async function studyMembership(
  design: MembershipDesign,
  data: readonly StudiedData[],
  own: readonly OwnGenerator[] = [],
  how: MembershipHow = {},
): Promise<MembershipStudy> {
  const { tasks = inline, before = [] } = how
  const ofOwn = own.map(
    ({ name, synthesizer }): AttackedGenerator => ({
      name,
      method: synthesizer.id,
      options: {},
      epsilon: null,
      own: synthesizer,
    }),
  )
  const settings = data.flatMap(({ name }) =>
    [...ATTACKED, ...ofOwn].flatMap((generator): Setting[] =>
      (design.shadows === 0 ? ['release' as const] : ['shadow' as const, 'release' as const]).map((game) => ({
        data: name,
        generator,
        game,
      })),
    ),
  )
  const played = new Map(before.map((setting) => [keyOf(setting), setting]))
  const left = settings.filter((setting) => !played.has(keyOfSetting(setting)))
  const note = (found: PlayedSetting) => {
    played.set(keyOf(found), found)
    how.played?.(found)
    how.progress?.(played.size, settings.length, `${found.data}, ${found.generator}`)
  }
  how.progress?.(played.size, settings.length, 'starting')
  const anywhere = left.filter(({ generator }) => generator.own === undefined)
  const shared = { design, data }
  await tasks.map(membershipTask, shared, anywhere, {
    signal: how.signal,
    output: (_, output) => note(output as PlayedSetting),
  })
  for (const setting of left.filter(({ generator }) => generator.own !== undefined)) {
    throwIfAborted(how.signal)
    note(await membershipTask.run(shared, setting))
  }
  const found = settings.flatMap((setting) => played.get(keyOfSetting(setting)) ?? [])
  return {
    design,
    tables: [],
    figures: membershipFigures(found),
    checks: membershipChecks(found),
    charts: membershipCharts(found),
  }
}

function keyOf({ data, generator, game }: Pick<PlayedSetting, 'data' | 'generator' | 'game'>): string {
  return JSON.stringify([data, generator, game])
}

function keyOfSetting({ data, generator, game }: Setting): string {
  return keyOf({ data, generator: generator.name, game })
}
