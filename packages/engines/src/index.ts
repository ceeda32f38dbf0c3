export { filesOf } from './duckdb.js'
export type { Engine } from './engine.js'
export { ENGINES, type EngineSettings, isInstalled, openEngine } from './engines.js'
export { readRecords, storedTable } from './stored.js'
