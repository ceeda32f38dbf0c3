// Writes people as a Parquet file of any size, with DuckDB: nothing of it is ever in memory. The same arguments give the same values.
// node bench/census.mjs FILE RECORDS 6|12 SEED
import { createRequire } from 'node:module'

const [file, records, columns, seed] = process.argv.slice(2)
const { DuckDBInstance } = createRequire(import.meta.url)('@duckdb/node-api')

/** Uniform numbers, by the number of the record alone, so that threads change nothing. */
const uniform = (name) => `(hash(i, '${name}', ${Number(seed)}) >> 11)::DOUBLE / 9007199254740992`
const noisy = (driver, name) => `(${driver} + ${uniform(name)}) / 2`
const level = (name, levels, driver) =>
  `'${name} ' || (1 + floor(pow(${noisy(driver, name)}, 1.4) * ${levels}))::INTEGER AS ${name}`
const rounded = (name, value, unit) => `round((${value}) / ${unit}) * ${unit} AS ${name}`

const [AGE, STANDING] = ['(age - 16) / 75', 'standing']
/** As those of people.mjs; the first six are the keys and the target. */
const COLUMNS = [
  level('sex', 2, STANDING),
  'age',
  level('region', 16, AGE),
  level('education', 5, AGE),
  level('marital', 5, STANDING),
  level('health', 5, AGE),
  level('place', 6, STANDING),
  level('work', 8, AGE),
  level('dwelling', 4, STANDING),
  rounded('income', `800 + 4000 * pow(${noisy(STANDING, 'income')}, 2)`, 10),
  rounded('hours', `60 * ${noisy(STANDING, 'hours')}`, 1),
  rounded('rent', `200 + 900 * ${noisy(STANDING, 'rent')}`, 5),
]

const drivers = `SELECT i, ${uniform('standing')} AS standing, 16 + floor(75 * pow(${uniform('age')}, 1.3)) AS age FROM range(${Number(records)}) AS numbers(i)`
const people = `SELECT ${COLUMNS.slice(0, Number(columns)).join(', ')} FROM (${drivers})`
const instance = await DuckDBInstance.create(':memory:', { memory_limit: '2GB', threads: '2' })
const connection = await instance.connect()
await connection.run(`COPY (${people}) TO '${file.replaceAll("'", "''")}' (FORMAT parquet)`)
connection.closeSync()
instance.closeSync()
