import { execFileSync } from 'node:child_process'
import { join } from 'node:path'
import { gzipSync } from 'node:zlib'
import fc from 'fast-check'
import { expect, it } from 'vitest'
import { PEOPLE, workplace } from './testing/run.js'

/** Every mistake has exit code 2, nothing on stdout, and a sentence that names what is wrong. */

const M = 'measure k-anonymity original.csv'
const K = '--keys sex,age'

interface Case {
  readonly files?: Readonly<Record<string, string | Uint8Array>>
  readonly command: string
  readonly says: string | RegExp
}

const truncated = gzipSync('sex,age\nf,30\n').subarray(0, 20)
const notParquet = new TextEncoder().encode('PAR1 nothing of the kind PAR1')

const CASES: Readonly<Record<string, Case>> = {
  'a missing file, with a near name': {
    command: `${M} relesed.csv ${K}`,
    says: 'scrim: there is no file relesed.csv; did you mean "released.csv"?',
  },
  'a missing file in a missing folder': {
    command: `${M} nowhere/released.csv ${K}`,
    says: /there is no file nowhere\/released\.csv; there is no folder .*nowhere either/,
  },
  'a number whose square is none': {
    files: { 'huge.csv': 'sex,age\nf,30\nm,1e299\n' },
    command: `${M} huge.csv ${K}`,
    says: 'scrim: column "age" of huge.csv has 1e+299 in row 2; numbers beyond 1e+150 cannot be squared: correct it, or rescale the column',
  },
  'two missing files, told at once': {
    command: `measure k-anonymity a.xyz b.xyz ${K}`,
    says: /there is no file a\.xyz\nscrim: there is no file b\.xyz/,
  },
  'a device, which may never end': {
    command: `${M} /dev/zero ${K}`,
    says: 'scrim: /dev/zero is a device, not a file; what it gives can be read as standard input: - < /dev/zero\n',
  },
  'a packed file that unpacks to more than is allowed': {
    files: { 'bomb.csv.gz': gzipSync(`sex,age\n${'f,30\n'.repeat(300_000)}`) },
    command: `${M} bomb.csv.gz ${K} --max-size 1MB`,
    says: 'scrim: bomb.csv.gz: is damaged, or unpacks to more than 1 MB; if it should be so large, allow it with --max-size, such as --max-size 8GB\n',
  },
  'a file that is larger than is allowed': {
    command: `${M} released.csv ${K} --max-size 50`,
    says: 'scrim: original.csv: is larger than 50 bytes; if it should be so large, allow it with --max-size, such as --max-size 8GB\n',
  },
  'a config that is nested without end': {
    files: { 'deep.json': '['.repeat(200_000) + ']'.repeat(200_000) },
    command: `${M} released.csv ${K} --config deep.json`,
    says: 'scrim: deep.json is nested more than 200 deep; nothing that scrim reads is\n',
  },
  'a policy that is nested without end': {
    files: { 'deep.json': `{"overall": ${'['.repeat(200_000)}"]"${']'.repeat(200_000)}}` },
    command: 'check original.csv released.csv --policy deep.json',
    says: 'scrim: deep.json is nested more than 200 deep; nothing that scrim reads is\n',
  },
  'a table that is nested without end': {
    files: { 'deep.json': '['.repeat(200_000) + ']'.repeat(200_000) },
    command: `${M} deep.json ${K}`,
    says: 'scrim: deep.json, row 1: expected an object, found an array\n',
  },
  'a size that is none': {
    command: `${M} released.csv ${K} --max-size much`,
    says: 'scrim: max-size must be a size such as 500MB or 8GB, found "much"\n',
  },
  'a folder instead of a file': {
    files: { 'folder/x.csv': 'a\n1\n' },
    command: `${M} folder ${K}`,
    says: 'folder is a folder, not a file',
  },
  'a binary file': {
    files: { 'b.csv': Uint8Array.of(1, 2, 0, 3, 4) },
    command: `${M} b.csv ${K}`,
    says: 'b.csv: does not look like a CSV file',
  },
  'an Excel workbook': {
    files: { 'b.xlsx': new TextEncoder().encode('PK\x03\x04rest') },
    command: `${M} b.xlsx ${K}`,
    says: 'b.xlsx: cannot be read as an Excel workbook: it is cut short',
  },
  'an empty file': { files: { 'b.csv': '' }, command: `${M} b.csv ${K}`, says: 'b.csv is empty' },
  'a header without records': {
    files: { 'b.csv': 'sex,age,income\n' },
    command: `${M} b.csv ${K}`,
    says: 'b.csv has no records',
  },
  'duplicate column names': {
    files: { 'b.csv': 'sex,sex\nf,m\n' },
    command: `${M} b.csv ${K}`,
    says: /b\.csv: .*"sex"/,
  },
  'a ragged row': {
    files: { 'b.csv': 'sex,age\nf,30\nm\n' },
    command: `${M} b.csv ${K}`,
    says: 'b.csv, line 3: 1 field, the header has 2',
  },
  'a gzip file that is cut off': {
    files: { 'b.csv.gz': truncated },
    command: `${M} b.csv.gz ${K}`,
    says: /b\.csv\.gz: .*gzip/,
  },
  'a Parquet file that is none': {
    files: { 'b.parquet': notParquet },
    command: `${M} b.parquet ${K}`,
    says: /b\.parquet: .*Parquet/,
  },
  'bad JSON': { files: { 'b.json': '[{"sex": "f",' }, command: `${M} b.json ${K}`, says: /b\.json: .*JSON/ },
  'text in a column declared numeric': {
    command: `${M} released.csv ${K} --types income=numeric`,
    says: 'original.csv, column "income": 8 cells are not numbers: row 1 "low"',
  },
  'a column that is numeric in one file and text in the other': {
    files: { 'b.csv': 'sex,age,income\nf,young,low\n' },
    command: `${M} b.csv ${K}`,
    says: 'column "age" is numeric in original.csv but text (row 1 has "young") in b.csv',
  },
  'a column that is not there, with a near name': {
    command: `${M} released.csv --keys sex,agee`,
    says: /original\.csv has no column "agee" \(a key\): .*did you mean "age"\?\nscrim: released\.csv has no column "agee"/,
  },
  'files with nothing in common': {
    files: { 'b.csv': 'x,y\n1,2\n' },
    command: `${M} b.csv`,
    says: 'original.csv and b.csv have no column in common',
  },
  'a key that the release has not': {
    files: { 'b.csv': 'sex,income\nf,low\n' },
    command: `${M} b.csv ${K}`,
    says: 'b.csv has no column "age" (a key)',
  },
  'a key that is the target': {
    command: `${M} released.csv ${K} --target age`,
    says: '"age" cannot be both a key and a target',
  },
  'a key given twice': { command: `${M} released.csv --keys sex,sex`, says: '"sex" is given twice as a key' },
  'a target given twice': {
    command: `${M} released.csv ${K} --target income --target income`,
    says: '"income" is given twice as a target',
  },
  'a numeric key that is text': {
    command: `${M} released.csv --numeric-keys sex`,
    says: 'the numeric key "sex" is not numeric',
  },
  'a holdout without a key column': {
    files: { 'h.csv': 'sex,income\nf,low\n' },
    command: `${M} released.csv ${K} --holdout h.csv`,
    says: 'h.csv has no column "age" (a key)',
  },
  'a population without a key column': {
    files: { 'p.csv': 'sex\nf\n' },
    command: `${M} released.csv ${K} --population p.csv`,
    says: 'p.csv has no column "age" (a key)',
  },
  'a holdout that is not there': {
    command: `${M} released.csv ${K} --holdout holdout.csv`,
    says: 'there is no file holdout.csv',
  },
  'a negative weight': {
    files: { 'a.csv': 'sex,w\nf,1\nm,-2\n' },
    command: 'measure k-anonymity a.csv a.csv --keys sex --weight w',
    says: 'the weight "w" of a.csv must be a positive number in every row; row 2 has -2',
  },
  'a missing weight': {
    files: { 'a.csv': 'sex,w\nf,1\nm,\n' },
    command: 'measure k-anonymity a.csv a.csv --keys sex --weight w',
    says: 'row 2 has missing',
  },
  'a weight that is text': {
    files: { 'a.csv': 'sex,w\nf,one\nm,two\n' },
    command: 'measure k-anonymity a.csv a.csv --keys sex --weight w',
    says: 'the weight "w" of a.csv is not numeric',
  },
  'a weight column that is not there': {
    command: `${M} released.csv ${K} --weight wieght`,
    says: /no column "wieght" \(the weight\): .*did you mean "weight"\?/,
  },
  'a household column that is not there': {
    command: `${M} released.csv ${K} --household hh`,
    says: 'no column "hh" (the household)',
  },
  'an unknown measure': {
    command: `measure k-anonimity original.csv released.csv ${K}`,
    says: 'unknown measure "k-anonimity"; did you mean "k-anonymity"?',
  },
  'an unknown measure among several': {
    command: `assess original.csv released.csv ${K} --measures k-anonymity,nope`,
    says: 'unknown measure "nope"',
  },
  'no measure': { command: 'measure', says: 'which measure?' },
  'no files': { command: 'assess', says: 'no files given; usage: scrim assess ORIGINAL RELEASED...' },
  'no released file': { command: `${M} ${K}`, says: 'no released file given, only original.csv' },
  'a need that is not met': { command: `${M} released.csv`, says: 'k-anonymity needs key variables (--keys a,b)' },
  'an unknown option of the measure': {
    command: `${M} released.csv ${K} --set kk=3`,
    says: 'k-anonymity: unknown option "kk"; did you mean "k"?',
  },
  'a wrong value of an option': {
    command: `${M} released.csv ${K} --set k=many`,
    says: /k-anonymity: option "k" must be a whole number/,
  },
  'a value of an option out of range': {
    command: `${M} released.csv ${K} --set k=0`,
    says: /k-anonymity: option "k" must be a whole number of at least 1/,
  },
  'an option without value': {
    command: `${M} released.csv ${K} --set k`,
    says: '--set expects option=value, found "k"',
  },
  'an option of no measure': {
    command: `assess original.csv released.csv ${K} --set k=3`,
    says: '--set k: say of which measure, for example --set k-anonymity.k=3',
  },
  'an option of an unknown measure': {
    command: `assess original.csv released.csv ${K} --set k-anonimity.k=3`,
    says: 'unknown measure "k-anonimity"; did you mean "k-anonymity"?',
  },
  'an unknown flag, with a near name': {
    command: `${M} released.csv --kyes sex`,
    says: 'unknown option --kyes; did you mean --keys?',
  },
  'an option of a measure as a flag': {
    command: `${M} released.csv ${K} --k 3`,
    says: 'unknown option --k; see --help, and --set k=... for an option of a measure',
  },
  'a flag without its value': { command: `${M} released.csv --keys --json`, says: '--keys needs a value: --keys a,b' },
  'a flag without its value at the end': {
    command: `${M} released.csv ${K} --seed`,
    says: '--seed needs a value: --seed N',
  },
  'a switch with a value': { command: `${M} released.csv ${K} --csv=yes`, says: '--csv takes no value, found "yes"' },
  'a flag given twice': { command: `${M} released.csv ${K} --seed 1 --seed 2`, says: '--seed is given more than once' },
  'an unknown command, with a near name': {
    command: 'mesure k-anonymity',
    says: 'unknown command "mesure"; did you mean "measure"?',
  },
  'a flag before the command': { command: '--verison', says: 'unknown option "--verison"; did you mean "--version"?' },
  'help on nothing known': { command: 'help k-anonymityy', says: 'did you mean "k-anonymity"?' },
  'JSON and CSV together': { command: `${M} released.csv ${K} --json --csv`, says: 'choose one of --json and --csv' },
  'a seed that is no number': {
    command: `${M} released.csv ${K} --seed lucky`,
    says: '--seed must be a whole number, found "lucky"',
  },
  'a seed with decimals': {
    command: `${M} released.csv ${K} --seed 1.5`,
    says: '--seed must be a whole number, found "1.5"',
  },
  'an unknown type of release': {
    command: `${M} released.csv ${K} --type sinthetic`,
    says: '--type must be "synthetic", "perturbed" or "unknown", found "sinthetic"; did you mean "synthetic"?',
  },
  'an unknown type of column': {
    command: `${M} released.csv ${K} --types age=numerc`,
    says: 'column "age" has the unknown type "numerc"; did you mean "numeric"?',
  },
  'types without an equals sign': {
    command: `${M} released.csv ${K} --types age`,
    says: 'types: "age" is not column=type',
  },
  'a type for a column that is not there': {
    command: `${M} released.csv ${K} --types agee=numeric`,
    says: 'original.csv: unknown column "agee"; did you mean "age"?',
  },
  'an unknown style of grouping': {
    command: `${M} released.csv ${K} --group age=equall:5`,
    says: 'group of age: unknown style "equall"; did you mean "equal"?',
  },
  'a grouping of text': {
    command: `${M} released.csv ${K} --group sex=3`,
    says: 'cannot group "sex": it is not numeric',
  },
  'codes of a column that is not grouped': {
    command: `${M} released.csv ${K} --codes age=-8`,
    says: 'codes are given for "age", which is not grouped',
  },
  'an unknown encoding': {
    command: `${M} released.csv ${K} --encoding utf8`,
    says: '--encoding must be "utf-8" or "latin1", found "utf8"; did you mean "utf-8"?',
  },
  'an unknown decimal mark': {
    command: `${M} released.csv ${K} --decimal ;`,
    says: '--decimal must be "." or ",", found ";"',
  },
  'a delimiter of two characters': {
    command: `${M} released.csv ${K} --delimiter ::`,
    says: 'delimiter: "::" cannot separate cells',
  },
  'a config file that is not there': {
    command: `${M} released.csv --config scrm.json`,
    says: 'there is no file scrm.json',
  },
  'a config file that is no JSON': {
    files: { 'scrim.json': '{keys: sex}' },
    command: `${M} released.csv`,
    says: 'scrim.json is not JSON: ',
  },
  'a config file that is a list': {
    files: { 'scrim.json': '["sex"]' },
    command: `${M} released.csv`,
    says: 'scrim.json must hold one JSON object',
  },
  'an unknown field of a config file': {
    files: { 'scrim.json': '{"kys": ["sex"]}' },
    command: `${M} released.csv`,
    says: 'scrim.json: unknown field "kys"; did you mean "keys"?',
  },
  'a wrong field of a config file': {
    files: { 'scrim.json': '{"keys": 3, "seed": "x"}' },
    command: `${M} released.csv`,
    says: 'scrim.json: field "keys" must be a text or a list of texts, found 3\nscrim: scrim.json: field "seed" must be a whole number, found "x"',
  },
  'a config field given under both names': {
    files: { 'scrim.json': '{"numeric-keys": "age", "numericKeys": "age"}' },
    command: `${M} released.csv`,
    says: 'scrim.json: the field "numericKeys" is given twice',
  },
  'a measure option in the config file that is unknown': {
    files: { 'scrim.json': '{"options": {"k-anonymity": {"kay": 1}}}' },
    command: `${M} released.csv ${K}`,
    says: 'k-anonymity: unknown option "kay"',
  },
  'a charts folder that is a file': {
    command: `${M} released.csv ${K} --charts other.csv`,
    says: 'cannot write into other.csv: it is a file',
  },
  'a charts folder below a file': {
    command: `${M} released.csv ${K} --charts other.csv/charts`,
    says: /cannot write into other\.csv\/charts: .*other\.csv is a file/,
  },
  'a records file in no folder': {
    command: `${M} released.csv ${K} --records no/scores.csv`,
    says: 'cannot write no/scores.csv: there is no folder no',
  },
  'a JSON file that is a folder': {
    files: { 'folder/x.csv': 'a\n1\n' },
    command: `assess original.csv released.csv ${K} --json folder`,
    says: 'cannot write folder: it is a folder',
  },
  'a demo folder that is a file': {
    command: 'demo --out other.csv',
    says: 'cannot write into other.csv: it is a file',
  },
  'an argument of demo': { command: 'demo here', says: 'unexpected argument "here"; the folder is named by --out' },
  'a simulation of nothing': { command: 'simulate', says: 'what should be simulated?' },
  'an unknown simulation': {
    command: 'simulate helth -o x.csv',
    says: 'unknown design "helth"; did you mean "health"?',
  },
  'a simulation of nobody': {
    command: 'simulate health --n 0 -o x.csv',
    says: 'n must be a whole number from 2 to 100000000, but it is 0',
  },
  'a simulation of half a person': {
    command: 'simulate health --n 2.5 -o x.csv',
    says: '--n must be a whole number, found "2.5"',
  },
  'a negative kappa': {
    command: 'simulate health --kappa=-1 -o x.csv',
    says: 'kappa must be 0 or larger, but it is -1',
  },
  'a kappa that is text': {
    command: 'simulate health --kappa big -o x.csv',
    says: '--kappa must be a number, found "big"',
  },
  'a simulation without file': { command: 'simulate health', says: '-o is missing' },
}

it.each(Object.entries(CASES))('%s', async (_, { files = {}, command, says }) => {
  const { run, files: present } = workplace({ ...PEOPLE, ...files })
  const before = present()
  const { code, out, err } = await run(command)
  if (typeof says === 'string') expect(err).toContain(says)
  else expect(err).toMatch(says)
  expect(code).toBe(2)
  expect(out).toBe('')
  expect(err).not.toMatch(/\bat .*\.(ts|js):\d+|bug in scrim/)
  for (const line of err.trimEnd().split('\n')) expect(line).toMatch(/^scrim: /)
  expect(present()).toEqual(before)
})

it.each(['b.csv', 'b.json', 'b.jsonl', 'b.parquet', 'b.arrow', 'b.csv.gz'])(
  'any bytes as %s: a result or a message, never a crash',
  async (name) => {
    const headers: Readonly<Record<string, string>> = {
      'b.csv': 'sex,age\n',
      'b.json': '[{"sex":',
      'b.parquet': 'PAR1',
      'b.arrow': 'ARROW1\0\0',
      'b.csv.gz': '\x1f\x8b\x08',
    }
    const header = Uint8Array.from([...(headers[name] ?? '')].map((letter) => letter.charCodeAt(0)))
    await fc.assert(
      fc.asyncProperty(fc.uint8Array({ maxLength: 60 }), fc.boolean(), async (bytes, headed) => {
        const { run } = workplace({ ...PEOPLE, [name]: headed ? Uint8Array.from([...header, ...bytes]) : bytes })
        const { code, err } = await run(`${M} ${name} ${K}`)
        expect(err).not.toContain('bug in scrim')
        expect(code === 0 || code === 2).toBe(true)
      }),
      // Each binary file opens a thread here; damaged-files.test.ts tries many on one.
      { numRuns: /parquet|arrow/.test(name) ? 4 : 60 },
    )
  },
)

it.skipIf(process.platform === 'win32')('a pipe that nobody writes to keeps nobody waiting', async () => {
  const { folder, run } = workplace(PEOPLE)
  execFileSync('mkfifo', [join(folder, 'pipe.csv')])
  const { code, err } = await run(`${M} pipe.csv ${K}`)
  expect([code, err]).toEqual([
    2,
    'scrim: pipe.csv is a pipe, not a file; what it gives can be read as standard input: - < pipe.csv\n',
  ])
})
