import { type PersonAttack, SHADOW_ATTACKS, significant } from '@scrim/core'
import type { Check } from '../comparison.js'
import type { AttackRow, PlayedSetting, Who } from './play.js'

/** A table of the study; what is `isLong` stands in its file only. */
export interface StudyFigure {
  readonly name: string
  readonly title: string
  readonly header: readonly string[]
  readonly rows: readonly (readonly (string | number | null)[])[]
  readonly isLong?: boolean
}

export function membershipFigures(settings: readonly PlayedSetting[]): StudyFigure[] {
  const failed = settings.filter(({ failed: reason }) => reason !== null)
  const figures: StudyFigure[] = [
    summary(settings),
    releaseGame(settings),
    shadowGame(settings),
    differences(settings),
    epsilons(settings),
    times(settings),
    ...(failed.length === 0
      ? []
      : [
          {
            name: 'not-played',
            title: 'Not played',
            header: ['data', 'generator', 'game', 'why'],
            rows: failed.map(({ data, generator, game, failed: reason }) => [data, generator, game, reason]),
          },
        ]),
  ]
  return figures.map((figure) => ({ ...figure, rows: figure.rows.map((row) => row.map(asWritten)) }))
}

/** Four digits are more than intervals are good for. */
const DIGITS = 4
const asWritten = (cell: string | number | null) => (typeof cell === 'number' ? significant(cell, DIGITS) : cell)

/** One line for each data set and generator: AUC of the best known attacks. */
function summary(settings: readonly PlayedSetting[]): StudyFigure {
  const pairs = settings.filter(({ game }) => game === 'release')
  return {
    name: 'summary',
    title:
      'AUC. One release, everybody: shared information, and the best of the other attacks. With and without one of the most isolated people: shared information of one release, and the best of the shadow models',
    header: ['data', 'generator', 'everybody: shared', 'others', 'isolated: shared', 'shadow'],
    rows: pairs.map(({ data, generator, rows }) => {
      const shadows =
        settings.find((one) => one.game === 'shadow' && one.data === data && one.generator === generator)?.rows ?? []
      const one = (from: readonly AttackRow[], who: Who) =>
        from.find((row) => row.who === who && row.attack === SHARED)?.auc ?? null
      const best = (from: readonly AttackRow[], who: Who, isWanted: (attack: string) => boolean) => {
        const aucs = from.filter((row) => row.who === who && isWanted(row.attack)).map(({ auc }) => auc)
        return aucs.length === 0 ? null : Math.max(...aucs)
      }
      return [
        data,
        generator,
        one(rows, 'everybody'),
        best(rows, 'everybody', (attack) => !OWN.includes(attack)),
        one(shadows, 'most isolated'),
        best(shadows, 'most isolated', isShadow),
      ]
    }),
  }
}

const SHARED: PersonAttack = 'shared information'
const OWN: readonly string[] = [
  SHARED,
  'information and values',
  'memorisation',
  'shared values',
] satisfies PersonAttack[]
const isShadow = (attack: string) => SHADOW_ATTACKS.some((one) => one === attack)

const ATTACK_HEADER = ['data', 'generator', 'who', 'attack', 'auc', 'lower', 'upper']

function releaseGame(settings: readonly PlayedSetting[]): StudyFigure {
  return {
    name: 'release-game',
    title: 'Who was in the release? One release, no shadow models',
    header: [...ATTACK_HEADER, 'tpr at fpr 0.1 %', 'tpr at fpr 1 %'],
    isLong: true,
    rows: rowsOf(settings, 'release', ({ who, attack, auc, lower, upper, at01, at1 }) => [
      who,
      attack,
      auc,
      lower,
      upper,
      at01,
      at1,
    ]),
  }
}

function shadowGame(settings: readonly PlayedSetting[]): StudyFigure {
  return {
    name: 'leave-one-out-game',
    title: 'Releases with and without one person',
    header: [...ATTACK_HEADER, 'auc, one threshold', 'tpr at fpr 0.1 %', 'tpr at fpr 1 %'],
    isLong: true,
    rows: rowsOf(settings, 'shadow', ({ who, attack, auc, lower, upper, pooled, at01, at1 }) => [
      who,
      attack,
      auc,
      lower,
      upper,
      pooled,
      at01,
      at1,
    ]),
  }
}

function rowsOf(
  settings: readonly PlayedSetting[],
  game: PlayedSetting['game'],
  cells: (row: AttackRow) => readonly (string | number | null)[],
): StudyFigure['rows'] {
  return settings
    .filter((one) => one.game === game)
    .flatMap(({ data, generator, rows }) => rows.map((row) => [data, generator, ...cells(row)]))
}

function differences(settings: readonly PlayedSetting[]): StudyFigure {
  return {
    name: 'differences',
    title:
      'AUC of the best shadow attack less that of shared information, and of information and values, and the single feature that told most of one person',
    header: [
      'data',
      'generator',
      'who',
      'best shadow attack',
      'difference',
      'lower',
      'upper',
      'from information and values',
      'its lower',
      'its upper',
      'feature',
      'its auc',
    ],
    isLong: true,
    rows: settings.flatMap(({ data, generator, differences: rows }) =>
      rows.map((row) => [
        data,
        generator,
        row.who,
        row.attack,
        ...[row.fromShared, row.fromValues].flatMap(({ value, lower, upper }) => [value, lower, upper]),
        row.feature,
        row.featureAuc,
      ]),
    ),
  }
}

function epsilons(settings: readonly PlayedSetting[]): StudyFigure {
  return {
    name: 'epsilon',
    title: 'Private generators: the largest lower bound of epsilon over people, at 95 % over all people and attacks',
    header: ['data', 'generator', 'attack', 'stated', 'at least', 'most that could show'],
    isLong: true,
    rows: settings.flatMap(({ data, generator, epsilons: rows }) =>
      rows.map(({ attack, stated, bound, most }) => [data, generator, attack, stated, bound, most]),
    ),
  }
}

function times(settings: readonly PlayedSetting[]): StudyFigure {
  return {
    name: 'times',
    title: 'Seconds',
    header: ['data', 'generator', 'game', 'what', 'seconds', 'times'],
    isLong: true,
    rows: settings.flatMap(({ data, generator, game, times: rows }) =>
      rows.map(({ what, seconds, times: often }) => [data, generator, game, what, seconds, often]),
    ),
  }
}

export function membershipChecks(settings: readonly PlayedSetting[]): Check[] {
  const bounds = settings.flatMap(({ epsilons: rows }) => rows)
  const sharedOf = (data: string, generator: string) =>
    settings
      .find((one) => one.game === 'release' && one.data === data && one.generator === generator)
      ?.rows.find(({ who, attack }) => who === 'everybody' && attack === SHARED)
  const data = [...new Set(settings.map((one) => one.data))]
  return [
    ...(bounds.length === 0
      ? []
      : [
          {
            what: 'no private generator is less private than it states',
            holds: bounds.every(({ stated, bound }) => bound <= stated),
          },
        ]),
    ...data.flatMap((name) => {
      const [near, far] = ['CART, leaves of 1', 'independent'].map((generator) => sharedOf(name, generator))
      return near === undefined || far === undefined
        ? []
        : [
            {
              what: `${name}: shared information tells members of CART with leaves of 1 from others, and not of independent columns`,
              holds: near.lower > 0.5 && far.auc < near.lower,
            },
          ]
    }),
  ]
}
