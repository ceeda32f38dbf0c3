import { describe, expect, it } from 'vitest'
import { type Stream, stream } from '../random/stream.js'
import type { Reason } from '../reason.js'
import { categorical, numeric, stackColumns } from '../table/column.js'
import { selectRows, type Table, table } from '../table/table.js'
import { inline } from '../tasks/task.js'
import { membersOf } from './search.js'
import { space } from './space.js'
import { nearReleased } from './used-holdout.js'

const LEVELS = ['a', 'b', 'c']

function people(name: string, rows: number, random: Stream, spread = 1): Table {
  const draw = <T>(make: () => T) => Array.from({ length: rows }, make)
  return table(name, [
    categorical(
      'group',
      draw(() => LEVELS[random.below(3)]),
      { levels: LEVELS },
    ),
    numeric(
      'x',
      draw(() => 0.5 + spread * (random.uniform() - 0.5)),
    ),
    numeric(
      'y',
      draw(() => 0.5 + spread * (random.uniform() - 0.5)),
    ),
  ])
}

const moved = (of: Table, random: Stream): Table =>
  table(
    'moved',
    of.columns.map((column) =>
      column.kind === 'numeric'
        ? { ...column, values: column.values.map((value) => value + 0.002 * (random.uniform() - 0.5)) }
        : column,
    ),
  )

function warning(training: Table, released: Table, holdout: Table): Promise<Reason | null> {
  const of = space([training, released, holdout], ['group', 'x', 'y'], [0, 2])
  const [, releasedIds, ids] = of.ids
  return nearReleased({ tasks: inline }, of, { ...membersOf(of, ids), ids }, membersOf(of, releasedIds))
}

describe('the holdout', () => {
  const random = stream(1, 'used holdout')
  const training = people('training', 300, random)
  const holdout = people('holdout', 150, random)

  it('is noticed when its people were released too', async () => {
    const both = table(
      'both',
      training.columns.map((column, k) => stackColumns([column, holdout.columns[k]])),
    )
    expect((await warning(training, moved(both, random), holdout))?.code).toBe('used-holdout')
    expect((await warning(training, holdout, holdout))?.code).toBe('used-holdout')
  })

  it('is not suspected because the training records were copied', async () => {
    expect(await warning(training, moved(training, random), holdout)).toBeNull()
    expect(await warning(training, training, holdout)).toBeNull()
  })

  it('is not suspected by honest, narrow or wide releases', async () => {
    for (let run = 0; run < 200; run++) {
      const draw = stream(run, 'honest')
      const [t, h] = [people('t', 100, draw), people('h', run % 2 === 0 ? 100 : 30, draw)]
      const spread = [1, 0.5, 2][run % 3]
      expect(await warning(t, people('s', run % 5 === 0 ? 400 : 100, draw, spread), h)).toBeNull()
    }
  })

  it('of one person says nothing', async () => {
    expect(await warning(training, training, selectRows(holdout, [0]))).toBeNull()
  })
})
