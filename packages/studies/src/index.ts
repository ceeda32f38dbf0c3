export {
  type BuyerBewareDesign,
  type BuyerBewareStudy,
  buyerBewareDesign,
  studyBuyerBeware,
} from './buyer-beware/buyer-beware.js'
export { buyerBewareRecords } from './buyer-beware/published.js'
export type { Check, Comparison } from './comparison.js'
export { DEMO_KEYS, DEMO_TARGET, demoFiles, demoPeople } from './demo.js'
export {
  AGE_VARIANTS,
  type AgeVariant,
  HEALTH_PARAMETERS,
  type HealthOptions,
  type HealthParameters,
  simulateHealth,
} from './health.js'
export {
  ATTACKED,
  type MembershipDesign,
  membershipDesign,
} from './membership/design.js'
export {
  type MembershipHow,
  type MembershipStudy,
  type OwnGenerator,
  type StudiedData,
  studyMembership,
} from './membership/membership.js'
export type { PlayedSetting } from './membership/play.js'
export { PUBLIC_DATA } from './membership/public-data.js'
export type { StudyFigure } from './membership/tables.js'
export { findStudyTask } from './membership/task.js'
export { type CensusOptions, simulateCensus } from './output-risk/census.js'
export {
  CENSUS_REQUEST,
  type OutputRiskDesign,
  type OutputRiskHow,
  type OutputRiskStudy,
  outputRiskDesign,
  studyOutputRisk,
} from './output-risk/output-risk.js'
export {
  type RapidStudy,
  type RapidStudyDesign,
  type RapidStudyInput,
  rapidStudyDesign,
  type StudyFiles,
  type StudyHow,
  type StudyPair,
  simulatedFiles,
  studyRapid,
} from './rapid/rapid.js'
export type { StudyTable } from './rapid/tables.js'
