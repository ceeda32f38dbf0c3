export { ComparisonReport } from './comparison.js'
export { comparisonHtml, documentHtml, type PictureOf } from './document.js'
export { Report } from './report.js'
