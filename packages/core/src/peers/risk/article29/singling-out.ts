import { type ChooseRows, distinctRecords } from '../../../risk/article29/predicates/compared-tables.js'
import { OWN_RECIPE, type Recipe } from '../../../risk/article29/predicates/predicate-attack.js'
import { type Details, singlingOut as own, singleOut } from '../../../risk/article29/singling-out.js'
import { type Definition, RISKUTILITY, withDefinitions } from '../../definition.js'
import { fittedSizeFactor } from './size-fit.js'

const ANONYMETER: Recipe = {
  ...OWN_RECIPE,
  name: 'anonymeter',
  people: distinctRecords,
  medians: 'at most',
  tryAll: false,
  sizeFactor: fittedSizeFactor,
}

const completeRecords: ChooseRows = (columns, all) => all.filter((row) => columns.every(({ codes }) => codes[row] >= 0))

const COMPLETE_RECORDS: Recipe = {
  ...OWN_RECIPE,
  name: 'riskutility',
  people: completeRecords,
  released: completeRecords,
  isolating: false,
  medians: 'at most',
}

const anonymeter: Definition<typeof own.options, Details> = {
  software: 'anonymeter',
  version: '1.0.0',
  differs: 'distinct records, sampled univariate predicates, fitted size correction',
  compute: (subject, chosen, context) => singleOut(subject, ANONYMETER, chosen, context),
}

const riskutility: Definition<typeof own.options, Details> = {
  ...RISKUTILITY,
  differs: 'any predicate, complete records, no correction',
  compute: (subject, chosen, context) => singleOut(subject, COMPLETE_RECORDS, chosen, context),
}

export const singlingOut = withDefinitions(own, { anonymeter, riskutility })
