import { BOUND_LEVEL, type Method, percent, SIGNIFICANCE } from '@scrim/core'
import type { ComponentChildren } from 'preact'
import { useEffect, useId, useRef, useState } from 'preact/hooks'

/** What the words of the field mean, as the documentation has it. */
const GLOSSARY: Readonly<Record<string, string>> = {
  leakage:
    'How much a release reveals about these people because their records were in it. 0: no more than other people’s records, or people outside the release, give away; 100 %: as much as the original itself. (value − fair) / (everything − fair).',
  exposure:
    'How much a release reveals at all, including what any useful data would reveal: 0 is what the columns tell on their own, 100 % the original itself. A useful release has some.',
  attacker: 'Who is assumed to attack, and what they hold. A verdict speaks of this attacker only.',
  bounds: `One-sided ${percent(BOUND_LEVEL, 0)} bounds: the true value lies below the lower one in at most ${percent(SIGNIFICANCE, 0)} of cases, and above the upper one in at most ${percent(SIGNIFICANCE, 0)}.`,
  key: 'A column that an attacker may know about a person, such as sex, age or place (a quasi-identifier).',
  'numeric key':
    'A number that an attacker knows about a person, though perhaps not exactly: released numbers are compared by how near they are.',
  target: 'A column that an attacker wants to learn, such as an income or an illness.',
  holdout: 'People of the same population who were not used to make the release.',
  fair: 'The control for leakage: what everybody else’s records reveal about a person, or what the release reveals about people outside.',
  high: 'Significant, and even the lower bound of the leakage reaches the limit of HIGH: do not release.',
  moderate:
    'Significant, and the upper bound reaches the limit from which leakage matters: release under controlled access, or reduce it.',
  inconclusive:
    'Not significant, but too much cannot be ruled out: more records, or more people outside, would settle it.',
  low: 'Too small to matter, or not shown and certainly below the limit of HIGH. Not a claim of formal privacy.',
  'not assessed': 'Nothing could be compared; the reason is given.',
  faithful: 'Hardly distinguishable from an honest sample of the original.',
  usable: 'Most of what an honest sample would give.',
  limited: 'Some analyses will mislead.',
  poor: 'Little is left of what the original would show.',
  decides: 'One of the few measures on which the verdict of a threat rests.',
  supports: 'A published measure that looks at the same threat; it is named beside the verdict and never votes.',
  structure: 'A fact about a file, such as its k-anonymity; context, no verdict.',
  diagnoses: 'Says why, not whether.',
  role: 'Whether a measure decides, supports, states structure or diagnoses.',
  value: 'What the measure gives for this release, in its own unit.',
  measure: 'A way to put a number on risk or utility; its page in the documentation has formula and source.',
  points: 'How much smaller the leakage is for an attacker who does not have the column, in percentage points.',
  group:
    'People with one value of a key, or in one quarter of a number’s range: those about whom more is revealed than about others.',
  each: 'What the release adds about each of them, on average.',
  overall: 'What the release adds about everybody, on average.',
  added: 'What the release adds about the person beyond the fair control.',
  'honest sample': 'What the measure gives for a fresh sample of the original: as good as a release can be.',
  ratio: 'The value over what chance gives: 1 is as good as an honest sample.',
  place: '100 %: an honest sample; 0: a file that keeps nothing but the names of its columns.',
  'as good as': 'The share of the original that, drawn at random, would be as good as this release.',
  p: 'How often an honest sample would look as bad by chance.',
  'SHA-256': 'A fingerprint of the file: no other file has the same.',
}

/** Words as the report gives them: those of the glossary, and measures by title or name. */
function meaningOf(term: string, methods: readonly Method[]): string | undefined {
  const own = GLOSSARY[term] ?? GLOSSARY[term.toLowerCase()]
  if (own !== undefined) return own
  const method = methods.find(({ id, title }) => id === term || title === term)
  if (method === undefined) return undefined
  const { summary, blindTo } = method
  return `${summary.slice(0, 1).toUpperCase()}${summary.slice(1)}.${blindTo === null ? '' : ` Blind to ${blindTo}.`}`
}

/** A word that says what it means when it is pressed. */
export function Glossed({
  term,
  children,
  methods = [],
}: {
  term: string
  children: ComponentChildren
  methods?: readonly Method[]
}) {
  const meaning = meaningOf(term, methods)
  return meaning === undefined ? children : <Asked meaning={meaning}>{children}</Asked>
}

function Asked({ meaning, children }: { meaning: string; children: ComponentChildren }) {
  const [isOpen, setOpen] = useState(false)
  const id = useId()
  const around = useRef<HTMLSpanElement>(null)
  useEffect(() => {
    if (!isOpen) return
    const close = (event: Event) => {
      const isKey = event instanceof KeyboardEvent
      if (isKey ? event.key === 'Escape' : !around.current?.contains(event.target as Node)) setOpen(false)
    }
    document.addEventListener('keydown', close)
    document.addEventListener('pointerdown', close)
    return () => {
      document.removeEventListener('keydown', close)
      document.removeEventListener('pointerdown', close)
    }
  }, [isOpen])
  return (
    <span class="asked" ref={around}>
      <button type="button" class="term" aria-expanded={isOpen} aria-controls={id} onClick={() => setOpen(!isOpen)}>
        {children}
      </button>
      <span id={id} role="note" class="meaning" hidden={!isOpen}>
        {meaning}
      </span>
    </span>
  )
}

export function Glossary() {
  return (
    <details class="glossary">
      <summary>Glossary</summary>
      <dl>
        {Object.entries(GLOSSARY).map(([term, meaning]) => (
          <>
            <dt key={term}>{term}</dt>
            <dd>{meaning}</dd>
          </>
        ))}
      </dl>
    </details>
  )
}
