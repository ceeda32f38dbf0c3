export { filesOf } from './duckdb.js'
export { type Engine, readRecords } from './engine.js'
export { ENGINES, type EngineSettings, isInstalled, openEngine } from './engines.js'
