import { STYLE } from '@scrim/report'
import { render } from 'preact'
import { App } from './app.js'
import './page.css'
import { keepNumbersWhole } from './whole-numbers.js'

keepNumbersWhole()
const style = document.createElement('style')
style.textContent = STYLE
document.head.prepend(style)

const page = document.getElementById('page')
if (page !== null) {
  page.textContent = ''
  render(<App />, page)
}
