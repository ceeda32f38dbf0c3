export { type CodedColumn, countIds, type Groups, groupRows, type RowsByGroup, rowsByGroup } from './group.js'
export { MOST_COLUMNS, type SpecialUniques, type SpecialUniquesSearch, specialUniques } from './special-uniques.js'
