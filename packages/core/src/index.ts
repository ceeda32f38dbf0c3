export { z } from 'zod'
export { type AssessOptions, type AssessProgress, assess } from './assess/assess.js'
export type { Chart } from './chart/chart.js'
export { NotApplicable, nearestName, UserError, unknownName } from './errors.js'
export { type ReadOptions, readTable } from './files/read.js'
export { parseTypes, type TypeSpec, type Types } from './files/types.js'
export { csvChunks, toCsv } from './files/write.js'
export type { Json, JsonObject } from './json.js'
export * from './measure.js'
export { measures } from './measures.js'
export { count, percent } from './print.js'
export { attribution } from './risk/attribution/attribution.js'
export { disclosure } from './risk/attribution/disclosure.js'
export { attackerRisk } from './risk/frequency/attacker-risk.js'
export { deltaPresence } from './risk/frequency/delta-presence.js'
export { epsilonIdentifiability } from './risk/frequency/epsilon-identifiability.js'
export { householdRisk } from './risk/frequency/household-risk.js'
export { individualRisk } from './risk/frequency/individual-risk.js'
export { populationUniqueness } from './risk/frequency/population-uniqueness.js'
export { kAnonymity } from './risk/frequency/k-anonymity.js'
export { lDiversity } from './risk/frequency/l-diversity.js'
export { minimalUniques, suda } from './risk/frequency/suda.js'
export { tCloseness } from './risk/frequency/t-closeness.js'
export { AGE_VARIANTS, type AgeVariant, type HealthOptions, simulateHealth } from './simulate/health.js'
export { independentMarginals } from './synthesizers/independent.js'
export { perturb } from './synthesizers/perturb.js'
export * from './table/column.js'
export { GROUPING_STYLES, type Grouping, type GroupingStyle, parseGroupings } from './table/grouping.js'
export { type Release, type ReleaseInput, type ReleaseType, release } from './table/release.js'
export * from './table/table.js'
export {
  type AbortSignalLike,
  type AnyTask,
  cut,
  inline,
  type Task,
  type TaskProgress,
  type TaskRunner,
  throwIfAborted,
} from './tasks/task.js'
export { findTask } from './tasks/tasks.js'
