export { ComparisonReport } from './comparison.js'
export { comparisonHtml, documentHtml, outputsHtml, type PictureOf } from './document.js'
export { OutputsReport } from './outputs.js'
export { Report } from './report.js'
