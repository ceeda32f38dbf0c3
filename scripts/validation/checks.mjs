// What `npm run validate` runs, in this order. A name may be given to run it alone: npm run validate -- honest fooling.
const scrim = 'node packages/cli/bin/scrim.js'
const script = (name, ...args) => ['node', `scripts/validation/${name}.mjs`, ...args].join(' ')

export const CHECKS = [
  { name: 'tests', command: 'npx vitest run', env: { SCRIM_LONG: '1' } },
  { name: 'study-rapid', command: `${scrim} study rapid --out scrim-validation/rapid` },
  { name: 'study-buyer-beware', command: `${scrim} study buyer-beware --out scrim-validation/buyer-beware` },
  { name: 'study-output-risk', command: `${scrim} study output-risk --quick --out scrim-validation/output-risk` },
  {
    name: 'study-membership',
    command: `${scrim} study membership --quick --strict --out scrim-validation/membership`,
  },
  { name: 'output-risk-coverage', command: script('output-risk-coverage') },
  { name: 'null-behaviour', command: script('null-behaviour') },
  { name: 'method', command: script('method') },
  { name: 'answer-studies', command: script('answer-studies') },
  { name: 'honest', command: script('honest', '--all', '--out scrim-validation/honest.jsonl') },
  { name: 'honest-splits', command: script('honest-splits', '--out scrim-validation/honest-splits.jsonl') },
  { name: 'linkage', command: script('linkage') },
  { name: 'live-comparison', command: script('live-comparison') },
  { name: 'calibration', command: script('calibration', '--check') },
  { name: 'utility-calibration', command: script('utility-calibration') },
  { name: 'fooling', command: script('fooling') },
  { name: 'hidden-leaks', command: script('hidden-leaks') },
  // Each of 10,000 damaged files of all formats must give a table or a sentence within 10 s and 1.5 GB; values under a checksum never change in silence.
  {
    name: 'damaged-files',
    command: 'npx vitest run packages/cli/src/damaged-files.test.ts',
    env: { SCRIM_DAMAGED_FILES: '10000' },
  },
  { name: 'labelled-files', command: script('labelled-files') },
  { name: 'r-files', command: script('r-files') },
  { name: 'first-use', command: 'node scripts/build/first-use.mjs --check' },
  { name: 'page-tasks', command: script('page-tasks') },
]
