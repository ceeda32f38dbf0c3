export { math } from '@scrim/kernels'
export { z } from 'zod'
export { type Advice, adviceOf, type Confirmed, confirmed } from './advise/advice.js'
export { type AdvisedFiles, carryOut, optionsFor } from './advise/candidate.js'
export { type Change, planText, RECODINGS, type Step, stepsOf, withChange } from './advise/change.js'
export type { Improvement, ThreatChange } from './advise/improvement.js'
export { proposals } from './advise/proposals.js'
export { type SearchOptions, search, type Tried } from './advise/search.js'
export { type AdviseInput, type Laboratory, laboratory, type Seeds, type Trial } from './advise/trial.js'
export type { Difference, GaugedUtility } from './advise/utility-gauge.js'
export {
  type Anonymisation,
  type AnonymiseOptions,
  type Anonymiser,
  type AnonymiserContext,
  type AnonymiserRoles,
  anonymise,
  type ChangedColumn,
  type Masked,
} from './anonymisers/anonymiser.js'
export { anonymisers, findAnonymiser } from './anonymisers/anonymisers.js'
export { type LocalSuppressionDescription, localSuppression } from './anonymisers/local-suppression.js'
export { type MicroaggregationDescription, microaggregation } from './anonymisers/microaggregation.js'
export { type NoiseDescription, noise } from './anonymisers/noise.js'
export {
  invariantMatrix,
  type PramDescription,
  type PramStratum,
  type PramVariable,
  pram,
} from './anonymisers/pram.js'
export { type RankSwappingDescription, rankSwapping } from './anonymisers/rank-swapping.js'
export { type RecodeDescription, recode } from './anonymisers/recode.js'
export { type RecordSwappingDescription, recordSwapping } from './anonymisers/record-swapping.js'
export { type RiskSuppressionDescription, riskSuppression } from './anonymisers/risk-suppression.js'
export { type RemovalCounts, type SdcDescription, sdc } from './anonymisers/sdc.js'
export { type ShufflingDescription, shuffling } from './anonymisers/shuffling.js'
export { type TopCodingDescription, topCoding } from './anonymisers/top-coding.js'
export {
  type AssessOptions,
  type AssessProgress,
  assess,
  chooseMeasures,
} from './assess/assess.js'
export {
  type Assessment,
  assessmentSchema,
  conclude,
  type ReleaseAssessment,
  type ThreatAssessment,
} from './assess/assessment.js'
export {
  evaluate,
  GATE_STATUSES,
  type Gate,
  type GateOptions,
  type GateStatus,
  gateHeadline,
  type Outcome,
} from './assess/gate.js'
export { byLevel, isAlarm, judge, LEVELS, type Level, LIMITS } from './assess/judge.js'
export { type Policy, parsePolicy, policySchema, type Waiver } from './assess/policy.js'
export { type Answer, type AnswerHow, assessCase, runOf } from './assess/run.js'
export {
  baselineOf,
  baselineSchema,
  type Measured,
  parseAssessment,
  parseBaseline,
  type SavedAssessment,
  type Standing,
  standingOf,
} from './assess/standing.js'
export { throughViews } from './assess/through-views.js'
export { USEFULNESS, type UsefulnessLevel, type UtilityAssessment, type UtilityRow } from './assess/usefulness.js'
export { withColumnShares } from './assess/why.js'
export { CANDIDATE_KINDS, type CandidateKind, type CandidateOptions, PRIORS, type Prior } from './attack/candidates.js'
export { attackCharts } from './attack/charts.js'
export { ENGINES, type EngineName } from './attack/engines/engine.js'
export {
  type AttackHow,
  type AttackInput,
  type AttackResult,
  attack,
  type Hypothesis,
  type RecordChoice,
  type TargetResult,
} from './attack/game.js'
export { type AttackVerdict, type Posterior, posterior, type RiskSummary } from './attack/posterior.js'
export { attackReport } from './attack/report.js'
export { type SeedAttack, seedAttack } from './attack/seed-attack.js'
export { strongAttack } from './attack/strong-attack.js'
export {
  type Case,
  type CaseField,
  type CaseInput,
  caseSchema,
  type FileRole,
  flagForms,
  groupingsIn,
  LIMIT_FIELDS,
  PROFILES,
  type Profile,
  parseCase,
  READING_FIELDS,
  ROLE_FIELDS,
  RUNNING_FIELDS,
  readingIn,
} from './case/case.js'
export { type CaseTables, type OpenedCase, openCase, withReleaseType } from './case/open-case.js'
export {
  type ColumnQuestion,
  OpenQuestions,
  type Question,
  questionText,
  type SameOrDifferent,
} from './case/questions.js'
export { barChart, type Chart, lineChart, scatterChart } from './chart/chart.js'
export type { Anchor } from './compare/anchors.js'
export { type Compared, type CompareOptions, type CompareProgress, compare } from './compare/compare.js'
export type { Candidate, Comparison, Score } from './compare/comparison.js'
export {
  RISKUTILITY_MEASURES,
  RISKUTILITY_VERSIONS,
  type RiskutilityMap,
  type RiskutilityReport,
  type RiskutilityVersion,
  riskutilityMap,
  riskutilityReport,
} from './compare/riskutility.js'
export { AUDIENCES, type Audience, INTERNAL_BANNER, withoutSeeds } from './discretion.js'
export { NotApplicable, nearestName, UserError, unknownName } from './errors.js'
export { BIBLIOGRAPHY, bibtex, type Citation, citationsOf, type Work, type WorkKey } from './evidence/bibliography.js'
export * from './evidence/evidence.js'
export { THREAT_TEXT, THREATS, type Threat } from './evidence/threats.js'
export type { Equivalent, UtilityEvidence, UtilityScale, UtilityTest } from './evidence/usefulness.js'
export {
  type Contents,
  type HeldRoles,
  type HeldTable,
  mayHoldSeveral,
  onlyTable,
  originalTable,
  SeveralObjects,
} from './files/contents.js'
export { type Format, isBinaryFormat, type ReadOptions, readContents, readTable } from './files/read.js'
export { checkSpssNames, toSpss } from './files/spss/write.js'
export { checkStataNames, toStata } from './files/stata/write.js'
export { parseTypes, type TypeSpec, type Types } from './files/types.js'
export { csvChunks, toCsv } from './files/write.js'
export { toParquet } from './files/write-parquet.js'
export type { Json, JsonObject } from './json.js'
export { suggestionCharts } from './keys/chart.js'
export type { DirectIdentifier } from './keys/direct-identifiers.js'
export {
  type ColumnUniqueness,
  type Guess,
  type SuggestedKey,
  type Suggestion,
  type SuggestOptions,
  suggestedRoles,
  suggestRoles,
} from './keys/suggest.js'
export type { ColumnSet } from './keys/uniqueness.js'
export { type CartTree, growCart, leafOf } from './learners/cart.js'
export type { Classes, FitContext, Importance, Learner, Model, Numbers, Response } from './learners/learner.js'
export { findLearner, learners } from './learners/learners.js'
export { fitLogistic } from './learners/logistic.js'
export * from './measure.js'
export { measures } from './measures.js'
export { type DescribedOption, optionFromText } from './option-text.js'
export { allowedValues, parseNamed, parseOptions, parsePlaced } from './options.js'
export { type Output, type OutputRequest, requestSchema } from './output/description/description.js'
export type { OutputValue } from './output/description/value.js'
export { requestTable } from './output/description/variables.js'
export { type AcroFile, acroFiles } from './output/exchange/acro-export.js'
export { type AcroImport, importAcro, type UnreadOutput } from './output/exchange/acro-import.js'
export { ACRO_RESULTS, type Asked, askedByFile, askedByFolder, jsonOf } from './output/exchange/asked.js'
export { requestOfLongCsv } from './output/exchange/long-csv.js'
export { parseRequest } from './output/exchange/request.js'
export { recompute } from './output/numbers/recompute.js'
export { outputRiskCharts } from './output/risk/charts.js'
export {
  type EmbedProgress,
  type KeptSearches,
  type OutputRisk,
  type OutputRiskInput,
  type OutputRiskOptions,
  outputRisk,
  outputRiskOptions,
} from './output/risk/risk.js'
export { type Appetite, appetiteSchema, PRESETS, type Preset } from './output/rules/appetite.js'
export { type Finding as OutputFinding, RULES } from './output/rules/finding.js'
export {
  type CheckedOutput,
  type CheckOptions,
  checkRequest,
  type OutputCheck,
  type OutputRiskEvidence,
  withRisk,
} from './output/verdict/check.js'
export { checkSchema } from './output/verdict/check-schema.js'
export { type EarlierOutput, parseEarlier } from './output/verdict/history.js'
export { CHECK_OPTIONS, type MeasuredHow, measured, USUAL_SECONDS } from './output/verdict/measured.js'
export { noEvidence, riskEvidence } from './output/verdict/risk-evidence.js'
export { VERDICTS, type Verdict } from './output/verdict/verdict.js'
export { dcap } from './peers/risk/attribution/dcap.js'
export { disclosure } from './peers/risk/attribution/disclosure.js'
export { disco } from './peers/risk/attribution/disco.js'
export { repu } from './peers/risk/attribution/repu.js'
export { tcap } from './peers/risk/attribution/tcap.js'
export { weap } from './peers/risk/attribution/weap.js'
export { epsilonIdentifiability } from './peers/risk/epsilon-identifiability.js'
export { ciProximity } from './peers/utility/ci-proximity.js'
export { count, fixed, grouped, inUnit, percent, significant, type Unit } from './print.js'
export * from './random/sampling.js'
export { type Stream, stream } from './random/stream.js'
export type { Reason } from './reason.js'
export {
  type AnswerView,
  answerView,
  boundsText,
  type ReleaseView,
  type ThreatRow,
  threatsTable,
  type UtilityMeasureRow,
  type UtilityView,
  utilityTable,
} from './report/answer.js'
export { type AssessedInput, assessmentJson } from './report/assessment-json.js'
export { assessmentMarkdown } from './report/assessment-markdown.js'
export { comparisonMarkdown } from './report/comparison-markdown.js'
export {
  type CandidateRow,
  type ComparisonView,
  comparisonView,
  type QuestionedPicture,
  type Untested,
} from './report/comparison-view.js'
export {
  type DocumentView,
  documentView,
  type FileRow,
  filesTable,
  type Method,
  type Provenance,
  type ReleaseDocument,
  type ThreatDocument,
  type WorstFinding,
} from './report/document.js'
export { documentMarkdown } from './report/document-markdown.js'
export { type EvidenceRow, evidenceRow, evidenceRows, literatureText } from './report/evidence-table.js'
export { type ExposedRecords, MOST_EXPOSED, type RecordsShown } from './report/exposed-records.js'
export { FIGURE_COLUMNS, figureRows } from './report/figures.js'
export { byTarget, hasFailed, originalFinding, releasedFindings, withoutRecords } from './report/findings.js'
export { findingsByThreat, type ThreatFinding, type ThreatFindings } from './report/findings-table.js'
export {
  gateJson,
  gateMarkdown,
  junitXml,
  MARKDOWN_MARK,
  type SarifSubject,
  sarifLog,
  unfinishedTexts,
} from './report/gate.js'
export { type MapPoint, mapChart, mapPoint } from './report/map-chart.js'
export { type MeanOfTarget, meansByTarget } from './report/means.js'
export { type GuessedRoles, type NextStep, nextSteps } from './report/next-steps.js'
export { outputsMarkdown } from './report/outputs-markdown.js'
export { outputRiskView } from './report/outputs-risk-view.js'
export { type OutputsView, type OutputView, outputsView, type RiskView } from './report/outputs-view.js'
export { overviewChart } from './report/overview-chart.js'
export { type Picture, picturesOf } from './report/pictures.js'
export { byReason, jsonText, NEED_TEXT, reasonText } from './report/reasons.js'
export { riskiestFirst, scoreMeaning, scoreText } from './report/record-scores.js'
export { riskutilityChart } from './report/riskutility-chart.js'
export { type TableCell, type TableColumn, type TableView, tableUnlessEmpty, tableView } from './report/table-view.js'
export { inference } from './risk/article29/inference.js'
export { linkability } from './risk/article29/linkability.js'
export { singlingOut } from './risk/article29/singling-out.js'
export { attribution } from './risk/attribution/attribution.js'
export { keySweep } from './risk/attribution/key-sweep.js'
export { tcapSynthetic } from './risk/attribution/tcap-synthetic.js'
export { dcr } from './risk/distance/dcr.js'
export { drisk } from './risk/distance/drisk.js'
export { hittingRate } from './risk/distance/hitting-rate.js'
export { identicalMatches } from './risk/distance/identical-matches.js'
export { memorisation } from './risk/distance/memorisation.js'
export { memorisationTail } from './risk/distance/memorisation-tail.js'
export { nndr } from './risk/distance/nndr.js'
export { rfProximity } from './risk/distance/rf-proximity.js'
export { attackerRisk } from './risk/frequency/attacker-risk.js'
export { deltaPresence } from './risk/frequency/delta-presence.js'
export { type Frequencies, frequencies } from './risk/frequency/frequencies.js'
export { householdRisk } from './risk/frequency/household-risk.js'
export { individualRisk } from './risk/frequency/individual-risk.js'
export { kAnonymity } from './risk/frequency/k-anonymity.js'
export { lDiversity } from './risk/frequency/l-diversity.js'
export { populationUniqueness } from './risk/frequency/population-uniqueness.js'
export { minimalUniques, suda } from './risk/frequency/suda.js'
export { tCloseness } from './risk/frequency/t-closeness.js'
export {
  type CrossValidatedRapid,
  type CrossValidation,
  crossValidateRapid,
} from './risk/inference/cross-validation.js'
export { rapid } from './risk/inference/rapid.js'
export { rapidAttribution } from './risk/inference/rapid-attribution.js'
export { rapidCv } from './risk/inference/rapid-cv.js'
export { rapidImportance } from './risk/inference/rapid-importance.js'
export { rapidThreshold } from './risk/inference/rapid-threshold.js'
export { type InspectedLink, inspectLink } from './risk/linkage/inspect-link.js'
export { matchRisk } from './risk/linkage/match-risk.js'
export { recordLinkage } from './risk/linkage/record-linkage.js'
export { reidentification } from './risk/linkage/reidentification.js'
export { sharedIdentifiers } from './risk/linkage/shared-identifiers.js'
export { domias } from './risk/membership/domias.js'
export { membershipAudit } from './risk/membership/membership-audit.js'
export { mia } from './risk/membership/mia.js'
export { nnaa } from './risk/membership/nnaa.js'
export { valueReuse } from './risk/membership/value-reuse.js'
export { sharedInformation } from './risk/shared-information/shared-information.js'
export { sharedInformationTail } from './risk/shared-information/shared-information-tail.js'
export * as disclosureScores from './stats/disclosure-scores.js'
export * from './stats/distributions.js'
export * from './stats/draws.js'
export * as information from './stats/information.js'
export * from './stats/intervals.js'
export { BOUND_LEVEL, INTERVAL_LEVEL, SIGNIFICANCE } from './stats/levels.js'
export * from './stats/quantile.js'
export * from './stats/sums.js'
export * from './stats/tests.js'
export { bootstrapNoise } from './synthesizers/bootstrap-noise.js'
export { cartSynthesizer } from './synthesizers/cart.js'
export { catallDirichletSynthesizer, catallSynthesizer } from './synthesizers/catall.js'
export { ctreeSynthesizer } from './synthesizers/ctree.js'
export { bagSynthesizer, rfSynthesizer } from './synthesizers/forest.js'
export { gaussianCopula } from './synthesizers/gaussian-copula.js'
export { independent, independentMarginals } from './synthesizers/independent.js'
export { ipfSynthesizer } from './synthesizers/ipf.js'
export { parametricSynthesizer } from './synthesizers/parametric.js'
export { perturb } from './synthesizers/perturb.js'
export {
  type FitHow,
  type FittedSynthesizer,
  type Streams,
  type SynthesisSets,
  type SynthesizeOptions,
  type Synthesizer,
  type SynthesizeSetsOptions,
  synthesize,
  synthesizeSets,
} from './synthesizers/synthesizer.js'
export { findSynthesizer, synthesizers } from './synthesizers/synthesizers.js'
export { type KeyClasses, keyClasses, type Part, rowsOfPart } from './table/classes.js'
export { withCodebookOf } from './table/codebook.js'
export * from './table/column.js'
export type { EditRule, RulesText } from './table/edit-rules.js'
export { GROUPING_STYLES, type Grouping, type GroupingStyle } from './table/grouping.js'
export type { Generator, Likeness, Release, ReleaseType } from './table/release.js'
export * from './table/table.js'
export { findTask } from './task-list.js'
export { type WorkerPool, workerPool } from './tasks/pool.js'
export type { FromWorker, Port, ToWorker, WorkerPort } from './tasks/port.js'
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
export { serveTasks } from './tasks/worker.js'
export { c2st } from './utility/global/c2st.js'
export { pmse } from './utility/global/pmse.js'
export type { PropensityOptions } from './utility/global/propensity.js'
export { logisticPmse, type Pmse } from './utility/global/propensity-statistics.js'
export { specks } from './utility/global/specks.js'
export { mutualInformation } from './utility/information/mutual-information.js'
export { alphaPrecision } from './utility/multivariate/alpha-precision.js'
export { associations } from './utility/multivariate/associations.js'
export { betaRecall } from './utility/multivariate/beta-recall.js'
export { copulaFidelity } from './utility/multivariate/copula-fidelity.js'
export { energyDistance } from './utility/multivariate/energy-distance.js'
export { gower } from './utility/multivariate/gower.js'
export { mahalanobis } from './utility/multivariate/mahalanobis.js'
export { mixing } from './utility/multivariate/mixing.js'
export { mmd } from './utility/multivariate/mmd.js'
export { pca } from './utility/multivariate/pca.js'
export type { Pair } from './utility/pair.js'
export { bootstrapInterval, ESTIMATORS, type Estimator } from './utility/predictive/bootstrap-interval.js'
export { featureImportance } from './utility/predictive/feature-importance.js'
export { type Formula, parseFormula } from './utility/predictive/formula.js'
export { intervalOverlapMeasure } from './utility/predictive/interval-overlap.js'
export { modelPerformance } from './utility/predictive/model-performance.js'
export { mqs } from './utility/predictive/mqs.js'
export { regressionFidelity } from './utility/predictive/regression-fidelity.js'
export { tstr } from './utility/predictive/tstr.js'
export { editRules } from './utility/rules/edit-rules.js'
export { learntRules } from './utility/rules/learnt-rules.js'
export { chisqGof } from './utility/tables/chisq-gof.js'
export { contingencyFidelity } from './utility/tables/contingency-fidelity.js'
export { crossTable } from './utility/tables/cross-table.js'
export { hellinger } from './utility/tables/hellinger.js'
export { tables } from './utility/tables/tables.js'
export { densityDifference } from './utility/univariate/density-difference.js'
export { jsd } from './utility/univariate/jsd.js'
export { ks } from './utility/univariate/ks.js'
export { meansFrequencies } from './utility/univariate/means-frequencies.js'
export { missingness } from './utility/univariate/missingness.js'
export { outliers } from './utility/univariate/outliers.js'
export { tailFidelity } from './utility/univariate/tail-fidelity.js'
export { totalVariation } from './utility/univariate/total-variation.js'
export { wasserstein } from './utility/univariate/wasserstein.js'
export { type UtilityDeclaration, utilityMeasure, utilityOptions } from './utility/utility-measure.js'
export { VIEWS } from './views/views.js'
