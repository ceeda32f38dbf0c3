import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { drawable, htmlText, inOneLine, markdownText, terminalText, xmlText } from './escape.js'

/** Texts as hostile files have them: any code unit, and much of what some medium obeys. */
const hostile = fc
  .array(
    fc.oneof(
      fc.string({ unit: 'binary' }),
      fc.integer({ min: 0, max: 0xffff }).map((unit) => String.fromCharCode(unit)),
      fc.constantFrom(
        ...[
          '\u001b[31m',
          '\u001b]0;x\u0007',
          '\u009b2J',
          '\r',
          '\n',
          '\0',
          '<script>',
          '</td>',
          ']]>',
          '&lt;',
          '&#x1b;',
        ],
        ...[
          '![x](y)',
          '[a](javascript:b)',
          '`',
          '**',
          '__',
          '|',
          '\\',
          '# ',
          '@all',
          'https://a.b',
          'www.a.b',
          '\u202e',
        ],
      ),
    ),
    { maxLength: 12 },
  )
  .map((parts) => parts.join(''))

// biome-ignore lint/suspicious/noControlCharactersInRegex: these are what must not be there
const OBEYED = /[\u0000-\u0008\u000b-\u001f\u007f-\u009f\u202a-\u202e\u2066-\u2069\ufffe\uffff]|\p{Cs}/u

describe('whatever a file holds', () => {
  it.each([
    ['terminal', terminalText],
    ['HTML', htmlText],
    ['XML', xmlText],
    ['Markdown', markdownText],
    ['a chart', (text: string) => drawable(text)],
  ])('no control character reaches %s', (_medium, made) => {
    fc.assert(fc.property(hostile, (text) => !OBEYED.test(made(text))))
  })

  it('text without anything to obey stays as it is on a terminal', () => {
    fc.assert(fc.property(fc.string(), (text) => OBEYED.test(text) || terminalText(text) === text))
    expect(terminalText('Zürich\tÅ 北京\n')).toBe('Zürich\tÅ 北京\n')
  })

  it('is one line where it must be', () => {
    fc.assert(fc.property(hostile, (text) => !/[\n\r\u0085\u2028\u2029]/.test(inOneLine(text))))
    expect(inOneLine('age\n scrim: LOW')).toBe('age scrim: LOW')
  })

  it('has neither tag nor open entity nor end of an attribute in XML, and says what it said', () => {
    fc.assert(fc.property(hostile, (text) => !/[<>"'\t\n]|&(?!(amp|lt|gt|quot|apos|#9|#10);)/.test(xmlText(text))))
    expect(xmlText('a < b & "c"')).toBe('a &lt; b &amp; &quot;c&quot;')
  })

  it('has neither tag nor link nor cell nor emphasis in Markdown', () => {
    const markup = /[<>\\|`*~[\]@\n]|&(?!#\d+;)|(?<!&)#|:\/\/|www\.|(?<![\p{L}\p{N}])_|_(?![\p{L}\p{N}])/iu
    fc.assert(fc.property(hostile, (text) => !markup.test(markdownText(text))))
    expect(markdownText('<b>@me\n# *x*')).toBe('&#60;b&#62;&#64;me &#35; &#42;x&#42;')
    expect(markdownText('age_group: 5 % (of 900)')).toBe('age_group: 5 % (of 900)')
  })

  it('is no member of an object in a chart, and looks as before', () => {
    const members = Object.getOwnPropertyNames(Object.prototype)
    const spec = drawable({ sort: members, data: { values: members.map((level) => ({ level })) } })
    expect(spec.sort.every((name) => !(name in {}))).toBe(true)
    expect(spec.data.values.map(({ level }) => level)).toEqual(spec.sort)
    expect(spec.sort.map((name) => name.replaceAll('\u2060', ''))).toEqual(members)
  })
})
