/** What a score of single records means, and which end of it is the riskier one; null where neither is. */
export interface ScoreMeaning {
  readonly riskier: 'higher' | 'lower' | null
  readonly meaning: string
}

const higher = (meaning: string): ScoreMeaning => ({ riskier: 'higher', meaning })
const lower = (meaning: string): ScoreMeaning => ({ riskier: 'lower', meaning })
const neither = (meaning: string): ScoreMeaning => ({ riskier: null, meaning })

/** By name, or by measure and name where measures use one name for different things. */
const MEANINGS: Readonly<Record<string, ScoreMeaning>> = {
  classSize: lower('records of the file with the same key'),
  weightedClassSize: lower('sum of the weights of the records with the same key'),
  distinct: lower('different target values among the records with the same key'),
  entropyL: lower('entropy l-diversity of the class: exp of the entropy of the target'),
  recursiveL: lower('recursive l-diversity of the class'),
  emd: higher('distance between the target in the class and in the file'),
  excess: higher('that distance beyond what a random class of this size has'),
  'suda.score': higher('SUDA score: how special the record is on few keys'),
  dis: higher('DIS-SUDA: probability that a match of a unique record is right'),
  msus: higher('minimal sample uniques of the record'),
  risk: higher('probability of re-identification'),
  populationFrequency: lower('estimated people of the population with the same key'),
  householdRisk: higher('probability that somebody of the household is re-identified'),
  householdsAlike: lower('households with the same composition'),
  populationUnique: higher('probability that nobody else in the population has this key'),
  prosecutor: higher('re-identification by somebody who knows that the person is in the file'),
  journalist: higher('re-identification by somebody who does not'),
  closerToRelease: higher('share of nearest records that are released ones'),
  presence: higher('probability, or ratio, of being in the release given the key'),
  'attribution.score': higher('chance of a right guess of the target from the release'),
  others: neither('the same from other people’s records'),
  cap: higher('share of released records with this key that have the person’s target value'),
  confidence: higher('largest share of one target value among the released records with this key'),
  guessedRight: higher('1: the most frequent target value there is the person’s'),
  selfSupported: higher('1: no other original record supports that guess'),
  classSizeOriginal: lower('original records with the same key'),
  classSizeReleased: neither('released records with the same key'),
  disclosed: higher('1: the release shows one target value for the key, and it is the person’s'),
  found: higher('1: the key is in the release; for reidentification, the chance to pick the right record'),
  oneValueShown: higher('1: the released records with this key have one target value'),
  matches: neither('released records that match the keys'),
  right: higher('1: the value shown is the person’s'),
  weap: higher('share of the records with the same key that have the same target'),
  uniqueInOriginal: higher('1: nobody else in the original has this key'),
  uniqueAndFound: higher('1: unique in the original, and the key is in the release'),
  replicated: higher('1: unique in the original, and unique in the release'),
  'rapid.score': higher('classes: gain over the margin. Numbers: error of the prediction, where lower is riskier'),
  atRisk: higher('1: at risk by the measure’s own rule'),
  probability: higher('probability that the attacker gives to the true class'),
  predicted: neither('number that the attacker predicts'),
  matchRisk: higher('expected match: 1 over the most probable records if the own one is among them, otherwise 0'),
  mostProbable: lower('records of the highest match probability'),
  linkageRisk: higher('chance that the intruder names the person’s own record'),
  named: lower('released records that the intruder would name'),
  costOfOwn: lower('cost of the record that is the person’s own'),
  costOfNearest: lower('least cost of any released record'),
  gapToSecond: higher('how much the best record stands out; 0 where several are best'),
  nearestRecords: lower('released records at the smallest distance'),
  nearerThanOwn: lower('released records nearer than the person’s own'),
  distanceToOwn: lower('distance to the record that was made of the person'),
  distanceToNearest: lower('distance to the nearest released record'),
  releasedNearest: higher('share of nearest records that are released ones'),
  distanceToReleased: lower('distance to the nearest released record'),
  distanceToOthers: neither('distance to the nearest other original record'),
  twin: higher('1: a released record is nearer than chance explains'),
  twinBeyondChance: higher('the same, less what chance gives'),
  bitsBeyondOthers: higher('bits shared with the release beyond those shared with other originals'),
  identicalReleased: higher('released records identical to this one'),
  uniqueCopied: higher('1: unique in the original, and copied'),
  releasedRecordsNearest: higher('released records whose nearest original this is'),
  releasedDistanceToTraining: lower('per released record: distance to the nearest original'),
  releasedDistanceToHoldout: neither('per released record: distance to the nearest outsider'),
  suspiciousReleased: higher('released records that are suspiciously close to this one'),
  robustDistance: lower('robust Mahalanobis distance to the nearest released record'),
  membershipPercentile: higher('share of outsiders who look less like members'),
  sharedInformationPercentile: higher('the same by shared information'),
  sharedValuesPercentile: higher('the same by shared values'),
  closenessPercentile: higher('the same by distance'),
  logRatioPercentile: higher('the same by the ratio of densities'),
  membershipScore: higher('ratio of densities with and without the release'),
  probabilityReleased: higher('probability of the classifier that the record is a released one'),
  distanceToRelease: lower('distance to the nearest released record'),
  multivariate: higher('1: singled out by a predicate over several columns'),
  univariate: higher('1: singled out by a predicate over one column'),
  linked: higher('1: both halves of the record lead to one released record'),
  inferred: higher('1: the secret is inferred from the nearest released record'),
  brokenRules: neither('1: the original record breaks an edit rule'),
  loss: neither('Gower distance between the record and what was made of it'),
  propensity: neither('fitted probability of being a released record'),
  posterior: higher('mean posterior of the truth for somebody who knows all other records'),
}

const PATTERNS: readonly (readonly [RegExp, ScoreMeaning])[] = [
  [/^msusOfSize\d+$/, higher('minimal sample uniques over this many keys')],
  [/^contribution /, neither('share of this key in the score')],
]

/** Undefined for a score that nobody has described. */
export function scoreMeaning(measure: string, score: string): ScoreMeaning | undefined {
  return MEANINGS[`${measure}.${score}`] ?? MEANINGS[score] ?? PATTERNS.find(([pattern]) => pattern.test(score))?.[1]
}

/** `cap: share of ...; higher is riskier`. */
export function scoreText(measure: string, score: string): string {
  const found = scoreMeaning(measure, score)
  if (found === undefined) return score
  return `${score}: ${found.meaning}${found.riskier === null ? '' : `; ${found.riskier} is riskier`}`
}
