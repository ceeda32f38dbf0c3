import { type AssociationRules, squares } from '../../../utility/multivariate/association/association.js'
import { associationsBy, associations as own } from '../../../utility/multivariate/associations.js'
import { RISKUTILITY, withUtilityDefinitions } from '../../definition.js'

/** Cramér's V from X², for 2 x 2 with the correction of Yates; it and the plain η grow with the number of categories. */
export const plain: AssociationRules = {
  binary: 'point-biserial',
  V: ({ seen: [r, s], ...table }) =>
    Math.sqrt(squares(table, r === 2 && s === 2 ? 0.5 : 0) / table.total / Math.min(r - 1, s - 1)),
  eta: (share) => Math.sqrt(share),
}

export const associations = withUtilityDefinitions(own, {
  riskutility: {
    ...RISKUTILITY,
    differs: 'V with Yates correction, point-biserial correlation with two categories, plain ratio',
    ...associationsBy(plain),
  },
})
