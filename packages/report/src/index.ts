export { documentHtml, type PictureOf } from './document.js'
export { Report } from './report.js'
