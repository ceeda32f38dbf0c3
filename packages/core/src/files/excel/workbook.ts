import { Damaged } from '../bytes/damage.js'
import { isDateFormat } from './number-formats.js'
import { visitXml } from './xml.js'
import type { Zip } from './zip.js'

/** What a workbook says of its sheets before any is read (ECMA-376 part 1, chapter 18). */
export interface Workbook {
  readonly sheets: readonly (readonly [string, SheetFile])[]
  readonly texts: readonly string[]
  /** Of each style of cells whether it shows numbers as dates. */
  readonly isDate: readonly boolean[]
  /** Whether days are counted from 1904, as old Macintosh programs did. */
  readonly from1904: boolean
}

interface SheetFile {
  readonly path: string
  readonly isHidden: boolean
}

export function readWorkbook(zip: Zip): Workbook {
  const main = mainDocument(zip)
  const folder = main.slice(0, main.lastIndexOf('/') + 1)
  const targets = relations(zip, `${folder}_rels/${main.slice(folder.length)}.rels`)
  const sheets: (readonly [string, SheetFile])[] = []
  let from1904 = false
  visitXml(demand(zip, main), {
    open(name, attribute) {
      if (name === 'workbookPr') from1904 = /^(1|true)$/.test(attribute('date1904') ?? '')
      if (name !== 'sheet') return
      const target = targets.find(({ id }) => id === (attribute('r:id') ?? attribute('ns:id') ?? ''))
      if (target?.type.endsWith('/worksheet') !== true) return
      const isHidden = (attribute('state') ?? 'visible') !== 'visible'
      sheets.push([attribute('name') ?? '', { path: pathOf(folder, target.path), isHidden }])
    },
    text() {},
    close() {},
  })
  if (sheets.length === 0) throw new Damaged('it has no sheets')
  const part = (type: string) => {
    const target = targets.find((one) => one.type.endsWith(type))
    return target === undefined ? undefined : zip.read(pathOf(folder, target.path))
  }
  return { sheets, texts: sharedTexts(part('/sharedStrings')), isDate: dateStyles(part('/styles')), from1904 }
}

interface Relation {
  readonly id: string
  readonly type: string
  readonly path: string
}

function mainDocument(zip: Zip): string {
  const main = relations(zip, '_rels/.rels').find(({ type }) => type.endsWith('/officeDocument'))
  if (main === undefined) throw new Damaged('it is a ZIP archive, but no workbook')
  return pathOf('', main.path)
}

function relations(zip: Zip, path: string): readonly Relation[] {
  const relations: Relation[] = []
  const bytes = zip.read(path)
  if (bytes === undefined) throw new Damaged('it is a ZIP archive, but no workbook')
  visitXml(bytes, {
    open(name, attribute) {
      if (name === 'Relationship')
        relations.push({ id: attribute('Id') ?? '', type: attribute('Type') ?? '', path: attribute('Target') ?? '' })
    },
    text() {},
    close() {},
  })
  return relations
}

/** Relative to the folder of the document, or from the root of the archive. */
function pathOf(folder: string, target: string): string {
  return target.startsWith('/') ? target.slice(1) : `${folder}${target}`.replace(/[^/]+\/\.\.\//g, '')
}

export function demand(zip: Zip, path: string): Uint8Array {
  const bytes = zip.read(path)
  if (bytes === undefined) throw new Damaged('a part of the workbook is not there')
  return bytes
}

/** Texts that cells refer to; a text may come in pieces with fonts of their own, and with how it is pronounced, which is left out. */
function sharedTexts(bytes: Uint8Array | undefined): readonly string[] {
  const texts: string[] = []
  if (bytes === undefined) return texts
  let [text, isText, isSpoken] = ['', false, false]
  visitXml(bytes, {
    open(name) {
      if (name === 'si') text = ''
      if (name === 'rPh') isSpoken = true
      isText = name === 't' && !isSpoken
    },
    text(piece) {
      if (isText) text += piece
    },
    close(name) {
      if (name === 'si') texts.push(unescaped(text))
      if (name === 'rPh') isSpoken = false
      if (name === 't') isText = false
    },
  })
  return texts
}

/** Characters that XML cannot hold are written `_x000D_`, and a text that looks like that `_x005F_x000D_`. */
export function unescaped(text: string): string {
  return text.replace(/_x([0-9A-Fa-f]{4})_/g, (_, code: string) => String.fromCharCode(Number.parseInt(code, 16)))
}

function dateStyles(bytes: Uint8Array | undefined): readonly boolean[] {
  const formats = new Map<number, string>()
  const isDate: boolean[] = []
  if (bytes === undefined) return isDate
  let isCellStyle = false
  visitXml(bytes, {
    open(name, attribute) {
      if (name === 'cellXfs') isCellStyle = true
      if (name === 'numFmt') formats.set(Number(attribute('numFmtId')), attribute('formatCode') ?? '')
      if (name !== 'xf' || !isCellStyle) return
      const id = Number(attribute('numFmtId') ?? 0)
      isDate.push(isDateFormat(id, formats.get(id)))
    },
    text() {},
    close(name) {
      if (name === 'cellXfs') isCellStyle = false
    },
  })
  return isDate
}
