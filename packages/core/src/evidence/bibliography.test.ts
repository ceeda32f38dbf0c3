import { expect, it } from 'vitest'
import { measures } from '../measures.js'
import { BIBLIOGRAPHY, bibtex, citationsOf } from './bibliography.js'

it('every work is cited by some measure', () => {
  const cited = measures.flatMap((measure) => citationsOf(measure).map(({ key }) => key))
  expect([...new Set(cited)].sort()).toEqual(BIBLIOGRAPHY.map(({ key }) => key).sort())
})

it('is BibTeX', () => {
  const sweeney = BIBLIOGRAPHY.filter(({ key }) => key === 'sweeney2002')
  expect(bibtex(sweeney)).toBe(
    `@misc{sweeney2002,
  author = {Sweeney, L.},
  title = {k-anonymity: a model for protecting privacy},
  year = {2002},
  howpublished = {International Journal of Uncertainty, Fuzziness and Knowledge-Based Systems 10},
  doi = {10.1142/S0218488502001648},
}
`,
  )
})
