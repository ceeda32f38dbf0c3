import type { AnyTask, AsyncTask, Table } from '@scrim/core'
import type { MembershipDesign } from './design.js'
import { type PlayedSetting, playSetting, type Setting } from './play.js'

interface Shared {
  readonly design: MembershipDesign
  readonly data: readonly { readonly name: string; readonly people: Table }[]
}

/** One data set and generator, played whole on one thread. */
export const membershipTask: AsyncTask<Shared, Setting, PlayedSetting> = {
  name: 'study/membership',
  run({ design, data }, setting) {
    const found = data.find(({ name }) => name === setting.data)
    if (found === undefined) throw new Error(`no data ${setting.data}`)
    return playSetting(setting, design, found.people)
  },
}

/** What a worker must be able to run besides the tasks of core. */
export function findStudyTask(name: string): AnyTask | undefined {
  const tasks: readonly AnyTask[] = [membershipTask]
  return tasks.find((task) => task.name === name)
}
