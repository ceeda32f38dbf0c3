export { ComparisonReport } from './comparison.js'
export {
  comparisonHtml,
  documentCharts,
  documentHtml,
  NOT_DRAWN,
  outputsHtml,
  type PictureOf,
  unbroken,
} from './document.js'
export { LiveOutputs, OutputsReport } from './outputs.js'
export { levelClass, Verdict } from './parts.js'
export { LiveReport, Report } from './report.js'
export { STYLE } from './style.js'
export { OptionButtons, Terms } from './term.js'
