import type { Output, RegressionTerm } from './description.js'

/** What an output is, in words. */
export function outputText(output: Output): string {
  const where = output.filter === null ? '' : `, where ${output.filter}`
  const weighted = output.weights === null ? '' : `, weighted by ${output.weights}`
  return `${subjectOf(output)}${weighted}${where}`
}

function subjectOf(output: Output): string {
  switch (output.kind) {
    case 'regression': {
      const event = output.event === undefined ? '' : `=${output.event}`
      const terms = output.terms.length === 0 ? 'nothing' : output.terms.map(termText).join(', ')
      return `${output.family} regression of ${output.response}${event} on ${terms}`
    }
    case 'table': {
      const variable = output.var === undefined ? '' : ` of ${output.var}`
      const rounded = output.rounding === undefined ? '' : `, rounded to ${output.rounding.base}`
      const hidden = output.suppressed.length === 0 ? '' : `, ${output.suppressed.length} suppressed`
      return `${STATISTICS[output.statistic] ?? output.statistic}${variable} by ${output.by.join(' x ')}${output.totals ? ', with totals' : ''}${rounded}${hidden}`
    }
    case 'summary':
      return `${output.statistics.join(', ')} of ${output.var}${output.by.length === 0 ? '' : ` by ${output.by.join(' x ')}`}`
    case 'correlation':
      return `${output.method} correlation of ${output.vars.join(', ')}`
  }
}

const STATISTICS: Readonly<Record<string, string | undefined>> = { count: 'counts', percentage: 'percentages' }

function termText(term: RegressionTerm): string {
  return 'var' in term ? term.var : term.interaction.join(':')
}
