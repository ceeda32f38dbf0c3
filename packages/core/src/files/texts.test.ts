import { expect, it } from 'vitest'
import { UserError } from '../errors.js'
import { collectBytes, decoderOf } from './texts.js'

const utf8 = (text: string) => new TextEncoder().encode(text)

it('codes texts by their bytes, each different one once', () => {
  const texts = ['b', 'a', '', 'b', 'ab', 'ba', 'a', 'Łódź']
  const collector = collectBytes(texts.length + 1, decoderOf('a.sav', 'UTF-8'))
  texts.forEach((text, row) => {
    collector.put(row, utf8(text))
  })
  expect(collector.values()).toEqual({
    codes: Int32Array.of(0, 1, 2, 0, 3, 4, 1, 5, -1),
    texts: ['b', 'a', '', 'ab', 'ba', 'Łódź'],
  })
})

it('keeps 20,000 texts apart', () => {
  const collector = collectBytes(40_000, decoderOf('a.sav', 'UTF-8'))
  for (let row = 0; row < 40_000; row++) collector.put(row, utf8(`id ${row % 20_000}`))
  const { codes, texts } = collector.values()
  expect(texts.length).toBe(20_000)
  expect([codes[19_999], codes[39_999], texts[codes[20_007]]]).toEqual([19_999, 19_999, 'id 7'])
})

it.each([
  ['windows-1250', [0xe1, 0xb3], 'áł'],
  ['CP1251', [0xcc], 'М'],
  ['ISO_8859-2', [0xb3], 'ł'],
  ['1252', [0x80], '€'],
  ['Shift_JIS', [0x8f, 0xea], '場'],
  [undefined, [0xc3, 0xa9], 'é'],
  [undefined, [0xe9], 'é'],
])('decodes %s', (encoding, bytes, text) => {
  expect(decoderOf('a.sav', encoding)(Uint8Array.from(bytes))).toBe(text)
})

it('names an encoding that is not known', () => {
  expect(() => decoderOf('a.sav', 'no-such')).toThrow(UserError)
})
