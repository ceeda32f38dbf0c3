import { strongAttack } from './attack/strong-attack.js'
import type { AnyMeasure } from './measure.js'
import { linkability } from './peers/risk/article29/linkability.js'
import { singlingOut } from './peers/risk/article29/singling-out.js'
import { dcap } from './peers/risk/attribution/dcap.js'
import { disclosure } from './peers/risk/attribution/disclosure.js'
import { disco } from './peers/risk/attribution/disco.js'
import { repu } from './peers/risk/attribution/repu.js'
import { tcap } from './peers/risk/attribution/tcap.js'
import { weap } from './peers/risk/attribution/weap.js'
import { drisk } from './peers/risk/distance/drisk.js'
import { attackerRisk } from './peers/risk/frequency/attacker-risk.js'
import { epsilonIdentifiability } from './peers/risk/frequency/epsilon-identifiability.js'
import { mia } from './peers/risk/membership/mia.js'
import { associations } from './peers/utility/associations.js'
import { ciProximity } from './peers/utility/ci-proximity.js'
import { contingencyFidelity } from './peers/utility/contingency-fidelity.js'
import { copulaFidelity } from './peers/utility/copula-fidelity.js'
import { energyDistance } from './peers/utility/energy-distance.js'
import { hellinger } from './peers/utility/hellinger.js'
import { intervalOverlapMeasure } from './peers/utility/interval-overlap.js'
import { mmd } from './peers/utility/mmd.js'
import { outliers } from './peers/utility/outliers.js'
import { pca } from './peers/utility/pca.js'
import { regressionFidelity } from './peers/utility/regression-fidelity.js'
import { tailFidelity } from './peers/utility/tail-fidelity.js'
import { tstr } from './peers/utility/tstr.js'
import { wasserstein } from './peers/utility/wasserstein.js'
import { inference } from './risk/article29/inference.js'
import { attribution } from './risk/attribution/attribution.js'
import { keySweep } from './risk/attribution/key-sweep.js'
import { tcapSynthetic } from './risk/attribution/tcap-synthetic.js'
import { dcr } from './risk/distance/dcr.js'
import { hittingRate } from './risk/distance/hitting-rate.js'
import { identicalMatches } from './risk/distance/identical-matches.js'
import { memorisation } from './risk/distance/memorisation.js'
import { memorisationTail } from './risk/distance/memorisation-tail.js'
import { nndr } from './risk/distance/nndr.js'
import { rfProximity } from './risk/distance/rf-proximity.js'
import { deltaPresence } from './risk/frequency/delta-presence.js'
import { householdRisk } from './risk/frequency/household-risk.js'
import { individualRisk } from './risk/frequency/individual-risk.js'
import { kAnonymity } from './risk/frequency/k-anonymity.js'
import { lDiversity } from './risk/frequency/l-diversity.js'
import { populationUniqueness } from './risk/frequency/population-uniqueness.js'
import { suda } from './risk/frequency/suda.js'
import { tCloseness } from './risk/frequency/t-closeness.js'
import { rapid } from './risk/inference/rapid.js'
import { rapidAttribution } from './risk/inference/rapid-attribution.js'
import { rapidCv } from './risk/inference/rapid-cv.js'
import { rapidImportance } from './risk/inference/rapid-importance.js'
import { rapidThreshold } from './risk/inference/rapid-threshold.js'
import { matchRisk } from './risk/linkage/match-risk.js'
import { recordLinkage } from './risk/linkage/record-linkage.js'
import { reidentification } from './risk/linkage/reidentification.js'
import { sharedIdentifiers } from './risk/linkage/shared-identifiers.js'
import { domias } from './risk/membership/domias.js'
import { membershipAudit } from './risk/membership/membership-audit.js'
import { nnaa } from './risk/membership/nnaa.js'
import { valueReuse } from './risk/membership/value-reuse.js'
import { sharedInformation } from './risk/shared-information/shared-information.js'
import { sharedInformationTail } from './risk/shared-information/shared-information-tail.js'
import { c2st } from './utility/global/c2st.js'
import { pmse } from './utility/global/pmse.js'
import { specks } from './utility/global/specks.js'
import { mutualInformation } from './utility/information/mutual-information.js'
import { alphaPrecision } from './utility/multivariate/alpha-precision.js'
import { betaRecall } from './utility/multivariate/beta-recall.js'
import { gower } from './utility/multivariate/gower.js'
import { mahalanobis } from './utility/multivariate/mahalanobis.js'
import { mixing } from './utility/multivariate/mixing.js'
import { featureImportance } from './utility/predictive/feature-importance.js'
import { modelPerformance } from './utility/predictive/model-performance.js'
import { mqs } from './utility/predictive/mqs.js'
import { editRules } from './utility/rules/edit-rules.js'
import { learntRules } from './utility/rules/learnt-rules.js'
import { subgroupUtility } from './utility/subgroup/subgroup-utility.js'
import { chisqGof } from './utility/tables/chisq-gof.js'
import { crossTable } from './utility/tables/cross-table.js'
import { tables } from './utility/tables/tables.js'
import { densityDifference } from './utility/univariate/density-difference.js'
import { jsd } from './utility/univariate/jsd.js'
import { ks } from './utility/univariate/ks.js'
import { meansFrequencies } from './utility/univariate/means-frequencies.js'
import { missingness } from './utility/univariate/missingness.js'
import { totalVariation } from './utility/univariate/total-variation.js'
import type { AnyUtilityMeasure } from './utility/utility-measure.js'

/** Measures of utility: what subgroups can be compared by. */
const utility: readonly AnyUtilityMeasure[] = [
  pmse,
  specks,
  c2st,
  tables,
  crossTable,
  contingencyFidelity,
  hellinger,
  chisqGof,
  tstr,
  modelPerformance,
  mqs,
  featureImportance,
  regressionFidelity,
  intervalOverlapMeasure,
  mutualInformation,
  editRules,
  learntRules,
  wasserstein,
  ks,
  totalVariation,
  jsd,
  densityDifference,
  meansFrequencies,
  ciProximity,
  tailFidelity,
  outliers,
  missingness,
  associations,
  copulaFidelity,
  energyDistance,
  mmd,
  mahalanobis,
  pca,
  mixing,
  alphaPrecision,
  betaRecall,
  gower,
]

/** The one list of all measures: the command line, reports, docs and tests read it. */
export const measures: readonly AnyMeasure[] = [
  kAnonymity,
  lDiversity,
  tCloseness,
  suda,
  individualRisk,
  householdRisk,
  populationUniqueness,
  attackerRisk,
  epsilonIdentifiability,
  deltaPresence,
  attribution,
  disclosure,
  disco,
  dcap,
  tcap,
  tcapSynthetic,
  weap,
  repu,
  keySweep,
  rapid,
  rapidAttribution,
  rapidImportance,
  rapidThreshold,
  rapidCv,
  reidentification,
  recordLinkage,
  sharedIdentifiers,
  matchRisk,
  memorisation,
  memorisationTail,
  sharedInformation,
  sharedInformationTail,
  identicalMatches,
  dcr,
  nndr,
  hittingRate,
  rfProximity,
  drisk,
  membershipAudit,
  valueReuse,
  domias,
  mia,
  nnaa,
  singlingOut,
  linkability,
  inference,
  strongAttack,
  ...utility,
  subgroupUtility(utility),
]
