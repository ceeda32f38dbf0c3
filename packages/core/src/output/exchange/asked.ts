import { UserError } from '../../errors.js'
import { jsonOf } from '../../json-text.js'
import type { Table } from '../../table/table.js'
import type { OutputRequest } from '../description/description.js'
import { importAcro, type UnreadOutput } from './acro-import.js'
import { requestOfLongCsv } from './long-csv.js'
import { parseRequest } from './request.js'

/** A results folder of ACRO has this file. */
export const ACRO_RESULTS = 'results.json'

export interface Asked {
  readonly request: OutputRequest
  readonly unread: readonly UnreadOutput[]
}

/** What is asked for by a file: JSON, or the long form as CSV. */
export function askedByFile(name: string, text: string, data: Table): Asked {
  const value = name.toLowerCase().endsWith('.csv') ? requestOfLongCsv(name, text, data) : jsonOf(name, text)
  return { request: parseRequest(name, value), unread: [] }
}

/** What is asked for by a results folder of ACRO; `textOf` gives its files, null for one that is not there. */
export function askedByFolder(name: string, textOf: (file: string) => string | null, data: Table): Asked {
  const results = textOf(ACRO_RESULTS)
  if (results === null) throw new UserError(`${name} is no results folder of ACRO: it has no ${ACRO_RESULTS}`)
  const { request, unread } = importAcro(jsonOf(`${name}/${ACRO_RESULTS}`, results), textOf, data)
  if (request.outputs.length === 0)
    throw new UserError([
      `nothing in ${name} can be computed again from ${data.name}`,
      ...unread.map(({ id, reason }) => `${id}: ${reason}`),
    ])
  return { request: parseRequest(name, request), unread }
}
