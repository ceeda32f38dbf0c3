import { Damaged } from '../bytes/damage.js'

/**
 * The tags and texts of an XML document, one after the other, as far as workbooks need it: names without their prefixes,
 * entities resolved, comments left out. No document type is read, so nothing in a file can expand or fetch anything.
 */
export interface XmlVisitor {
  open(name: string, attribute: (name: string) => string | undefined): void
  text(text: string): void
  close(name: string): void
}

export function visitXml(bytes: Uint8Array, visitor: XmlVisitor): void {
  const xml = new TextDecoder(isUtf16(bytes) ? 'utf-16le' : 'utf-8').decode(bytes)
  let at = 0
  while (at < xml.length) {
    const tag = xml.indexOf('<', at)
    if (tag !== at) visitor.text(resolved(xml.slice(at, tag < 0 ? xml.length : tag)))
    if (tag < 0) return
    at = visitTag(xml, tag, visitor)
  }
}

function isUtf16([first, second]: Uint8Array): boolean {
  return first === 0xff && second === 0xfe
}

function visitTag(xml: string, tag: number, visitor: XmlVisitor): number {
  if (xml.startsWith('<!--', tag)) return after(xml, '-->', tag)
  if (xml.startsWith('<![CDATA[', tag)) {
    const end = after(xml, ']]>', tag)
    visitor.text(xml.slice(tag + 9, end - 3))
    return end
  }
  if (xml.startsWith('<!', tag)) throw new Damaged('a document in it has a type of its own')
  const end = after(xml, '>', tag)
  if (xml[tag + 1] === '?') return end
  if (xml[tag + 1] === '/') {
    visitor.close(localName(xml.slice(tag + 2, end - 1).trim()))
    return end
  }
  const isEmpty = xml[end - 2] === '/'
  const inner = xml.slice(tag + 1, end - (isEmpty ? 2 : 1))
  const space = inner.search(/\s/)
  const name = localName(space < 0 ? inner : inner.slice(0, space))
  visitor.open(name, (wanted) => attributeOf(inner, wanted))
  if (isEmpty) visitor.close(name)
  return end
}

function after(xml: string, mark: string, from: number): number {
  const at = xml.indexOf(mark, from)
  if (at < 0) throw new Damaged('a document in it is cut short')
  return at + mark.length
}

function localName(name: string): string {
  return name.slice(name.indexOf(':') + 1)
}

/** `wanted` as it is written, with its prefix; a blank before it tells it from the end of another name. */
function attributeOf(tag: string, wanted: string): string | undefined {
  for (let at = tag.indexOf(wanted); at >= 0; at = tag.indexOf(wanted, at + 1)) {
    const quote = tag[at + wanted.length + 1]
    if (!/\s/.test(tag[at - 1]) || tag[at + wanted.length] !== '=' || (quote !== '"' && quote !== "'")) continue
    const from = at + wanted.length + 2
    const end = tag.indexOf(quote, from)
    return end < 0 ? undefined : resolved(tag.slice(from, end))
  }
  return undefined
}

const ENTITIES: Readonly<Record<string, string>> = { lt: '<', gt: '>', amp: '&', quot: '"', apos: "'" }

function resolved(text: string): string {
  if (!text.includes('&')) return text
  return text.replace(/&(#x[0-9a-f]{1,6}|#\d{1,7}|[a-z]+);/gi, (whole, name: string) => {
    if (name[0] !== '#') return ENTITIES[name] ?? whole
    const code = name[1] === 'x' || name[1] === 'X' ? Number.parseInt(name.slice(2), 16) : Number(name.slice(1))
    return code <= 0x10ffff ? String.fromCodePoint(code) : whole
  })
}
