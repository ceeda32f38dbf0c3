/** What the library gives to everybody, by what one wants to do; docs/library.md says more. */

// Data: tables of columns, read from and written to bytes.

export { type Contents, type HeldTable, onlyTable, originalTable, SeveralObjects } from './files/contents.js'
export type { Format } from './files/formats.js'
export { toParquet } from './files/parquet/write-parquet.js'
export { type ReadOptions, readContents, readTable } from './files/read.js'
export { toSpss } from './files/spss/write.js'
export { toStata } from './files/stata/write.js'
export { parseTypes, type TypeSpec, type Types } from './files/types.js'
export { toCsv } from './files/write.js'
export {
  type Column,
  categorical,
  columnLength,
  countMissing,
  isMissing,
  numeric,
  stackColumns,
  takeRows,
  valueAt,
} from './table/column.js'
export {
  type Cell,
  columnNames,
  columnOf,
  findColumn,
  selectRows,
  type Table,
  table,
  tableOf,
  tableOfRows,
} from './table/table.js'

// One door: a Case and its files become a release, or questions that only a person can answer.

export { type Case, type CaseInput, caseSchema, type Profile, parseCase } from './case/case.js'
export { type CaseTables, type OpenedCase, openCase } from './case/open-case.js'
export {
  type ColumnQuestion,
  OpenQuestions,
  type Question,
  questionText,
  type SameOrDifferent,
} from './case/questions.js'
export { UserError } from './errors.js'
export { type Suggestion, type SuggestOptions, suggestedRoles, suggestRoles } from './keys/suggest.js'
export type { Release, ReleaseType } from './table/release.js'

// The answer: one verdict per threat, the gate that holds a release to a policy, and comparisons of releases.

export { assess } from './assess/assess.js'
export {
  type Assessment,
  assessmentSchema,
  type ReleaseAssessment,
  type ThreatAssessment,
} from './assess/assessment.js'
export { evaluate, type Gate, type GateOptions } from './assess/gate.js'
export { isAlarm, LEVEL_OF_VIEWS, LEVELS, type Level, LIMITS, LIMITS_OF_NAMES } from './assess/judge.js'
export { type Policy, parsePolicy, policySchema } from './assess/policy.js'
export { type Answer, assessCase } from './assess/run.js'
export { type CompareOptions, compare } from './compare/compare.js'
export type { Comparison } from './compare/comparison.js'
export { THREAT_TEXT, THREATS, type Threat } from './evidence/threats.js'

// Reports of an answer, as plain values and as Markdown.

export type { Chart } from './chart/chart.js'
export type { Audience } from './discretion.js'
export { assessmentJson } from './report/assessment-json.js'
export { assessmentMarkdown } from './report/assessment-markdown.js'
export { comparisonMarkdown } from './report/comparison/comparison-markdown.js'
export { type ComparisonView, comparisonView } from './report/comparison/comparison-view.js'
export { type DocumentView, documentView } from './report/document.js'
export { documentMarkdown } from './report/document-markdown.js'

// What to change: proposals, and a search among them.

export { type Advice, adviceOf } from './advise/advice.js'
export { type Change, planText } from './advise/change.js'
export { proposals } from './advise/proposals.js'
export { type SearchOptions, search } from './advise/search.js'

// Attacks by somebody who knows everything but one record.

export { type AttackInput, type AttackResult, attack } from './attack/game.js'
export { attackReport } from './attack/report.js'
export { type AuditInput, auditPrivacy, type PrivacyAudit } from './attack/shadow/audit.js'

// Disclosure risk of results that researchers ask to publish.

export { type OutputRequest, requestSchema } from './output/description/description.js'
export { type EmbeddedOutputs, embedOutputs, embedOutputsOptions } from './output/embedding/from-outputs.js'
export { parseRequest } from './output/exchange/request.js'
export { type OutputRisk, type OutputRiskInput, outputRisk, outputRiskOptions } from './output/risk/risk.js'
export { type Appetite, appetiteSchema, PRESETS } from './output/rules/appetite.js'
export { type CheckOptions, checkRequest } from './output/verdict/check.js'
export { checkSchema, type OutputCheck } from './output/verdict/check-schema.js'

// Measures: all of them as a list, and each as a function of a release and its options.

export * from './every-measure.js'
export { bibtex, citationsOf } from './evidence/bibliography.js'
export {
  type AnyMeasure,
  type Finding,
  optionsOf,
  type ReleaseFinding,
  type Result,
  type RunOptions,
} from './measure.js'
export { measures } from './measures.js'

// A measure of your own; `checkMeasure` of `@scrim/core/testing` holds it to what holds for all others.

export { z } from 'zod'
export { barChart, lineChart, scatterChart } from './chart/chart.js'
export { bandChart, boxChart } from './chart/spread.js'
export { NotApplicable } from './errors.js'
export type { Control, Controls, Effect, Leakage, Look } from './evidence/evidence.js'
export type { FindingCell, FindingColumn, FindingTable } from './evidence/finding-table.js'
export type { Json, JsonObject } from './json.js'
export {
  type Context,
  type Measure,
  type MeasureDeclaration,
  measure,
  type Need,
  type RecordScores,
} from './measure.js'
export { type Frequencies, frequencies } from './risk/frequency/counts/frequencies.js'
export { type Interval, percentileInterval, tInterval, wilson } from './stats/intervals.js'
export { jointCodes, type KeyClasses, keyClasses, type Part, rowsOfPart } from './table/classes.js'
export type { Pair } from './utility/pair.js'
export { type UtilityDeclaration, utilityMeasure, utilityOptions } from './utility/utility-measure.js'

// Synthesizers and anonymisers.

export { anonymisers, findAnonymiser } from './anonymisers/anonymisers.js'
export { localSuppression } from './anonymisers/local-suppression.js'
export {
  type Anonymisation,
  type AnonymiseOptions,
  type Anonymiser,
  type AnonymiserRoles,
  anonymise,
} from './anonymisers/method/anonymiser.js'
export { microaggregation } from './anonymisers/microaggregation.js'
export { noise } from './anonymisers/noise.js'
export { pram } from './anonymisers/pram.js'
export { rankSwapping } from './anonymisers/rank-swapping.js'
export { recode } from './anonymisers/recode.js'
export { recordSwapping } from './anonymisers/record-swapping.js'
export { riskSuppression } from './anonymisers/risk-suppression.js'
export { sdc } from './anonymisers/sdc.js'
export { shuffling } from './anonymisers/shuffling.js'
export { topCoding } from './anonymisers/top-coding.js'
export { bayesianNetwork } from './synthesizers/bayesian-network.js'
export { bootstrapNoise } from './synthesizers/bootstrap-noise.js'
export { catallDirichletSynthesizer, catallSynthesizer } from './synthesizers/cells/catall.js'
export { ipfSynthesizer } from './synthesizers/cells/ipf.js'
export { gaussianCopula } from './synthesizers/gaussian-copula.js'
export { independent, independentMarginals } from './synthesizers/independent.js'
export { perturb } from './synthesizers/perturb.js'
export {
  bagSynthesizer,
  cartSynthesizer,
  ctreeSynthesizer,
  parametricSynthesizer,
  rfSynthesizer,
} from './synthesizers/sequential/synthesizers.js'
export {
  type FittedSynthesizer,
  type SynthesisSets,
  type SynthesizeOptions,
  type Synthesizer,
  synthesize,
  synthesizeSets,
} from './synthesizers/synthesizer.js'
export { findSynthesizer, synthesizers } from './synthesizers/synthesizers.js'

// Random numbers that depend on a seed, a purpose and an index alone, and work in several threads.

export { permutation, sampleWithoutReplacement, sampleWithReplacement } from './random/sampling.js'
export { type Stream, stream } from './random/stream.js'
export {
  drawBinomial,
  drawDirichlet,
  drawExponential,
  drawGamma,
  drawNormal,
  drawPoisson,
  drawTruncatedNormal,
} from './stats/draws.js'
export { findTask } from './task-list.js'
export { type WorkerPool, workerPool } from './tasks/pool.js'
export type { WorkerPort } from './tasks/port.js'
export { type AbortSignalLike, type AnyTask, type AsyncTask, inline, type TaskRunner } from './tasks/task.js'
export { serveTasks } from './tasks/worker.js'

// Statistics of the literature on information disclosure, for numbers rather than files.

export * as disclosureScores from './stats/information/disclosure-scores.js'
export * as information from './stats/information/information.js'

// For the faces of scrim, its studies and its scripts: these may change with any version.

export { math } from '@scrim/kernels'
export { type Confirmed, confirmed } from './advise/advice.js'
export { carryOut, optionsFor } from './advise/candidate.js'
export { RECODINGS, type Step, stepsOf, withChange } from './advise/change.js'
export type { Tried } from './advise/search.js'
export { type AdviseInput, laboratory, type Trial } from './advise/trial.js'
export type { Difference, GaugedUtility } from './advise/utility-gauge.js'
export { chooseMeasures } from './assess/assess.js'
export { conclude } from './assess/assessment.js'
export { gateHeadline } from './assess/gate.js'
export { judge } from './assess/judge.js'
export { runOf } from './assess/run.js'
export {
  baselineOf,
  type Measured,
  parseAssessment,
  parseBaseline,
  type Standing,
  standingOf,
} from './assess/standing.js'
export { throughViews } from './assess/through-views.js'
export { withColumnCounts } from './assess/with-column-counts.js'
export { isOfScans, withScans } from './assess/with-scans.js'
export { attackCharts } from './attack/charts.js'
export { ENGINES } from './attack/engines/engine.js'
export type { RecordChoice, TargetResult } from './attack/game.js'
export { accused, bestTest, epsilonLowerBound, largestEpsilonBound } from './attack/shadow/epsilon.js'
export {
  type BestFeature,
  type Clock,
  GAME_ATTACKS,
  type GameAttack,
  NEIGHBOURS,
  type PlayedGame,
  playShadowGame,
  SHADOW_ATTACKS,
  type WorldScores,
} from './attack/shadow/game.js'
export { mostIsolated } from './attack/shadow/isolated.js'
export { CANDIDATE_KINDS, PRIORS } from './attack/target/candidates.js'
export type { RiskSummary } from './attack/target/posterior.js'
export {
  type CaseField,
  type FileRole,
  flagForms,
  groupingsIn,
  LIMIT_FIELDS,
  PRIVACY_FIELDS,
  READING_FIELDS,
  ROLE_FIELDS,
  readingIn,
} from './case/case.js'
export { checkMemory, mostCombinations, sampleFor } from './case/memory.js'
export { withReleaseType } from './case/open-case.js'
export { type SampledTable, type SampledTables, withCounts } from './case/with-counts.js'
export { heatmapChart, intervalChart } from './chart/chart.js'
export { countLetters, titledWithin } from './chart/letters.js'
export { DARK_COLORS } from './chart/parts.js'
export { type BySize, measureBySize } from './compare/by-size.js'
export type { Candidate } from './compare/comparison.js'
export { RISKUTILITY_ROWS, type RiskutilityReport, riskutilityReport } from './compare/riskutility.js'
export { RISKUTILITY_VERSIONS, type RiskutilityVersion } from './compare/riskutility-definitions.js'
export { RISKUTILITY_MEASURES, type RiskutilityMap, riskutilityMap } from './compare/riskutility-map.js'
export { AUDIENCES, INTERNAL, INTERNAL_BANNER, withoutSeeds } from './discretion.js'
export { byId, EngineFailure, knownName, nearestName, unknownName, unknownNames } from './errors.js'
export { drawable, htmlText, inOneLine, terminalText, xmlText } from './escape.js'
export { collectTable, type GivenColumn } from './files/collected-table.js'
export { type HeldRoles, singleTable } from './files/contents.js'
export { csvLayout } from './files/csv.js'
export { mayHoldSeveral } from './files/formats.js'
export { crc32 } from './files/packed/checksums.js'
export { checkSize } from './files/packed/limit.js'
export { isBinaryFormat } from './files/read.js'
export { checkSpssNames } from './files/spss/write.js'
export { checkStataNames } from './files/stata/write.js'
export { csvChunks, unlikeFormula } from './files/write.js'
export { jsonOf } from './json-text.js'
export { suggestionCharts } from './keys/chart.js'
export type { ColumnSet } from './keys/uniqueness.js'
export { type CartTree, growCart, leafOf } from './learners/cart.js'
export { classModel, type Learner, numberModel, type Response } from './learners/learner.js'
export { findLearner } from './learners/learners.js'
export { fitLogistic } from './learners/logistic.js'
export { DEFAULT_SEED, missingNeeds, needsFor, unmetNeeds, withTargetsFor } from './measure.js'
export type { BitsQuestion } from './neighbors/scan/bit-scan.js'
export { CannotScan } from './neighbors/scan/cannot-scan.js'
export type { DistanceQuestion } from './neighbors/scan/distance-scan.js'
export { leastOf, nothingFound } from './neighbors/scan/least.js'
export {
  isNaming,
  isOnce,
  listsOf,
  type RecordPart,
  type RecordQuestion,
  recordCoder,
  recordScan,
  scanTask,
} from './neighbors/scan/record-scan.js'
export {
  type DescribedOption,
  type OptionTree,
  optionFromText,
  withTypedOption,
} from './option-text.js'
export { allowedValues, parseNamed, parseOptions, parsePlaced } from './options.js'
export { requestTable } from './output/description/variables.js'
export { type AcroFile, acroFiles } from './output/exchange/acro-export.js'
export { ACRO_RESULTS, type Asked, askedByFile, askedByFolder } from './output/exchange/asked.js'
export { requestOfRModel } from './output/exchange/r-model.js'
export { recompute } from './output/numbers/recompute.js'
export { outputRiskCharts } from './output/risk/charts.js'
export type { KeptSearches } from './output/risk/risk.js'
export type { Preset } from './output/rules/appetite.js'
export { type EarlierOutput, parseEarlier } from './output/verdict/history.js'
export { CHECK_OPTIONS, measured, USUAL_SECONDS } from './output/verdict/measured.js'
export { count, fixed, grouped, inUnit, percent, significant, timeLeftText } from './print.js'
export { type AnswerView, answerView, type ReleaseView, type UtilityView, utilityTable } from './report/answer.js'
export { documentJson } from './report/assessment-json.js'
export type { QuestionedPicture } from './report/comparison/displays.js'
export {
  type ConfigSaid,
  configSays,
  type FileRow,
  filesTable,
  type MeasureTables,
  type Method,
  type Provenance,
  type ReleaseDocument,
  type ThreatDocument,
} from './report/document.js'
export {
  type EvidenceRow,
  evidenceRow,
  evidenceRows,
  LOOKS,
  literatureText,
  lookRows,
  noScaleText,
} from './report/findings/evidence-table.js'
export { type ExposedRecords, MOST_EXPOSED, type RecordsShown } from './report/findings/exposed-records.js'
export { FIGURE_COLUMNS, figureRows } from './report/findings/figures.js'
export { byTarget, hasFailed, originalFinding, releasedFindings, withoutRecords } from './report/findings/findings.js'
export { findingsByThreat, type ThreatFindings } from './report/findings/findings-table.js'
export { meansByTarget } from './report/findings/means.js'
export { findingTableView, tablesOf } from './report/findings/measure-tables.js'
export { byReason, jsonText, NEED_TEXT, reasonText } from './report/findings/reasons.js'
export { riskiestFirst, scoreText } from './report/findings/record-scores.js'
export { cellText, type TableCell, type TableColumn, type TableView } from './report/findings/table-view.js'
export { gateJson, gateMarkdown, junitXml, publishableGate, sarifLog, unfinishedTexts } from './report/gate.js'
export { type GuessedRoles, type NextStep, nextSteps } from './report/next-steps.js'
export { outputsMarkdown } from './report/outputs/outputs-markdown.js'
export { outputRiskView } from './report/outputs/outputs-risk-view.js'
export { type OutputsView, type OutputView, outputsView } from './report/outputs/outputs-view.js'
export { type MapPoint, mapPoint } from './report/pictures/map-chart.js'
export { overviewChart } from './report/pictures/overview-chart.js'
export { picturesOf } from './report/pictures/pictures.js'
export { riskutilityChart } from './report/pictures/riskutility-chart.js'
export type { PictureGroup } from './report/pictures/utility-pictures.js'
export { classProbabilities, predictedNumbers } from './risk/inference/attack/given-predictions.js'
export { type InspectedLink, inspectLink } from './risk/linkage/inspect-link.js'
export { PERSON_ATTACKS, type PersonAttack, personScores } from './risk/membership/scores/person-scores.js'
export { binomialPmf, normalCdf, normalQuantile } from './stats/distributions.js'
export { BOUND_LEVEL, INTERVAL_LEVEL, SIGNIFICANCE } from './stats/levels.js'
export { median, quantiles } from './stats/quantile.js'
export { mean, standardDeviation } from './stats/sums.js'
export { type Auc, auc, aucArea } from './stats/tests/auc.js'
export { cutFor } from './stored/sampled-records.js'
export {
  type Scanned,
  type StoredTable,
  storedInMemory,
  TooManyCombinations,
  tooManyNear,
} from './stored/stored-table.js'
export { domainsOf } from './synthesizers/domain.js'
export type { Streams } from './synthesizers/synthesizer.js'
export { withCodebookOf } from './table/codebook.js'
export { distinctRecords } from './table/distinct-records.js'
export type { RulesText } from './table/edit-rules.js'
export { GROUPING_STYLES } from './table/grouping.js'
export type { OwnAttackers } from './table/release.js'
export { throwIfAborted } from './tasks/task.js'
export { logisticPmse } from './utility/global/propensity/propensity-statistics.js'
export { VIEWS } from './views/views.js'
