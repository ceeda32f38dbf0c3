import { zipSync } from 'fflate'
import { describe, expect, it } from 'vitest'
import { valueAt } from '../../table/column.js'
import { columnOf, type Table } from '../../table/table.js'
import { expectSeen, fixture } from '../../testing/files/seen.js'
import { type ReadOptions, readContents, readTable } from '../read.js'
import { isDateFormat } from './number-formats.js'

const cells = (table: Table, column: string) =>
  Array.from({ length: table.rows }, (_, row) => valueAt(columnOf(table, column), row))

const RELATIONS = 'http://schemas.openxmlformats.org/officeDocument/2006/relationships'

interface Parts {
  readonly rows: string
  readonly after?: string
  readonly properties?: string
  readonly styles?: string
}

/** A workbook of one sheet, written out. */
function workbook({ rows, after = '', properties = '', styles = '' }: Parts): Uint8Array {
  const text = (content: string) => new TextEncoder().encode(`<?xml version="1.0"?>${content}`)
  return zipSync({
    '_rels/.rels': text(
      `<Relationships><Relationship Id="a" Type="${RELATIONS}/officeDocument" Target="xl/workbook.xml"/></Relationships>`,
    ),
    'xl/workbook.xml': text(
      `<workbook>${properties}<sheets><sheet name="one" sheetId="1" r:id="b"/></sheets></workbook>`,
    ),
    'xl/_rels/workbook.xml.rels': text(
      `<Relationships><Relationship Id="b" Type="${RELATIONS}/worksheet" Target="sheets/one.xml"/>` +
        `<Relationship Id="c" Type="${RELATIONS}/styles" Target="/xl/styles.xml"/></Relationships>`,
    ),
    'xl/styles.xml': text(`<styleSheet>${styles}</styleSheet>`),
    'xl/sheets/one.xml': text(`<x:worksheet><x:sheetData>${rows}</x:sheetData>${after}</x:worksheet>`),
  })
}

const read = (parts: Parts, options?: ReadOptions) => readTable('a.xlsx', workbook(parts), options)
const inline = (text: string) => `<c t="inlineStr"><is><t>${text}</t></is></c>`

describe('workbooks of R, as R sees them', () => {
  it('the first sheet, with a note that there are others', async () => {
    const { tables, notes } = await readContents('excel.xlsx', fixture('excel.xlsx'))
    expectSeen(tables[0].table, 'excel')
    expect(notes).toEqual(['excel.xlsx: of its 2 sheets "people" is read'])
  })

  it('a sheet by name or number; what stands somewhere on it is found', async () => {
    for (const sheet of ['released', '2'])
      expectSeen(await readTable('excel.xlsx', fixture('excel.xlsx'), { sheet: [sheet] }), 'excel-released')
    await expect(readTable('excel.xlsx', fixture('excel.xlsx'), { sheet: ['relesed'] })).rejects.toThrow(
      'did you mean "released"',
    )
  })

  it('two sheets: original and release', async () => {
    const { tables } = await readContents('excel.xlsx', fixture('excel.xlsx'), { sheet: ['people', 'released'] })
    expect(tables.map(({ role, part }) => [role, part])).toEqual([
      ['original', 'people'],
      ['release', 'released'],
    ])
  })
})

describe('cells', () => {
  it('texts in the cell, formulas, true and false, errors, no places', async () => {
    const contents = await readContents(
      'a.xlsx',
      workbook({
        rows:
          `<row>${inline('a')}${inline('b')}${inline('c &amp; &#228;')}${inline('d')}</row>` +
          `<row>${inline('x_x000D_y')}<c><f>1+1</f><v>2</v></c><c t="b"><v>1</v></c><c t="e"><v>#N/A</v></c></row>` +
          `<row><c t="str"><f>A1</f><v>z</v></c><c><v>2.5E-3</v></c><c t="b"><v>0</v></c><c><v>7</v></c></row>`,
        after: '<x:mergeCells><x:mergeCell ref="A2:A3"/></x:mergeCells>',
      }),
    )
    const [{ table }] = contents.tables
    expect(cells(table, 'a')).toEqual(['x\ry', 'z'])
    expect(cells(table, 'b')).toEqual([2, 0.0025])
    expect(cells(table, 'c & ä')).toEqual(['true', 'false'])
    expect(cells(table, 'd')).toEqual([null, 7])
    expect(contents.notes).toEqual([
      'a.xlsx, sheet "one": cells that hold an error such as #N/A are missing',
      'a.xlsx, sheet "one": has merged cells; only the first of each has the value, the others are missing',
    ])
  })

  it('empty rows and columns between are left out', async () => {
    const table = await read({
      rows:
        `<row r="3"><c r="B3" t="str"><v>a</v></c><c r="E3" t="str"><v>b</v></c></row>` +
        `<row r="9"><c r="B9"><v>1</v></c></row><row r="12"><c r="E12"><v>2</v></c></row>`,
    })
    expect([cells(table, 'a'), cells(table, 'b')]).toEqual([
      [1, null],
      [null, 2],
    ])
  })

  const styles =
    '<numFmts><numFmt numFmtId="164" formatCode="yyyy\\-mm\\-dd"/></numFmts>' +
    '<cellStyleXfs><xf numFmtId="14"/></cellStyleXfs><cellXfs><xf numFmtId="0"/><xf numFmtId="14"/><xf numFmtId="164"/></cellXfs>'
  const dates = `<row>${inline('day')}</row><row><c s="1"><v>1</v></c></row><row><c s="2"><v>61</v></c></row><row><c s="2"><v>43831</v></c></row>`

  it('dates count from 1900, with the leap day that 1900 did not have, or from 1904', async () => {
    expect(cells(await read({ rows: dates, styles }), 'day')).toEqual(['1900-01-01', '1900-03-01', '2020-01-01'])
    const from1904 = await read({ rows: dates, styles, properties: '<workbookPr date1904="1"/>' })
    expect(cells(from1904, 'day')).toEqual(['1904-01-02', '1904-03-02', '2024-01-02'])
  })

  it('which formats show dates', () => {
    const shown = (code: string) => isDateFormat(164, code)
    expect(['yyyy-mm-dd', 'd. mmm', 'mmm yy', '[$-407]dddd', 'mmmm', 'm/d/yy h:mm'].map(shown)).not.toContain(false)
    expect(
      ['0.00', 'General', 'hh:mm:ss', '[h]:mm', '#,##0 "days"', '0\\d', '[Red]0', 'mm:ss.0'].map(shown),
    ).not.toContain(true)
    expect([14, 22, 0, 18, 45].map((id) => isDateFormat(id, undefined))).toEqual([true, true, false, false, false])
  })
})

describe('what is refused', () => {
  it('archives that are no workbooks, empty sheets', async () => {
    await expect(readTable('a.xlsx', zipSync({ 'a.txt': new Uint8Array(3) }))).rejects.toThrow(
      'a.xlsx: cannot be read as an Excel workbook: it is a ZIP archive, but no workbook',
    )
    await expect(read({ rows: '' })).rejects.toThrow('the sheet "one" is empty')
  })

  it('a sheet that unpacks to more than it says, and a wrong checksum', async () => {
    const bytes = workbook({ rows: `<row>${inline('a')}</row>${'<row><c><v>1</v></c></row>'.repeat(2000)}` })
    const view = new DataView(bytes.buffer)
    const directory = view.getUint32(bytes.length - 6, true)
    // The sizes of the last file, in the directory.
    let at = directory
    for (let k = 0; k < 4; k++) at += 46 + view.getUint16(at + 28, true) + view.getUint16(at + 30, true)
    const size = view.getUint32(at + 24, true)
    view.setUint32(at + 24, size - 1000, true)
    await expect(readTable('a.xlsx', bytes)).rejects.toThrow('a file in it is longer than it says')
    view.setUint32(at + 24, 2 ** 31, true)
    await expect(readTable('a.xlsx', bytes)).rejects.toThrow('unpacks to more than 268.4 MB')
    view.setUint32(at + 24, size, true)
    view.setUint32(at + 16, 1, true)
    await expect(readTable('a.xlsx', bytes)).rejects.toThrow('the checksum of a file in it does not match')
  })

  it('a document type, which could expand to anything', async () => {
    await expect(read({ rows: '<!DOCTYPE x [<!ENTITY a "b">]>' })).rejects.toThrow('has a type of its own')
  })

  it('cells each in a row and a column of its own', async () => {
    const names = Array.from({ length: 2000 }, (_, k) => inline(`v${k}`)).join('')
    const column = (k: number) =>
      String.fromCharCode(65 + Math.floor(k / 676), 65 + (Math.floor(k / 26) % 26), 65 + (k % 26))
    const diagonal = Array.from({ length: 2000 }, (_, k) => `<c r="${column(k)}${k + 2}"><v>1</v></c>`).join('')
    await expect(read({ rows: `<row>${names}</row>${diagonal}` })).rejects.toThrow('almost all of its cells are empty')
  })
})
