import { type ComponentChildren, createContext } from 'preact'
import { useContext } from 'preact/hooks'

/** How a term of the field is shown; on paper it is its word, in the page it can be asked what it means. */
export type TermOf = (term: string, children: ComponentChildren) => ComponentChildren

export const Terms = createContext<TermOf>((_, children) => children)

/** A word that the glossary explains under `of`. */
export function Term({ of, children }: { of: string; children: ComponentChildren }) {
  return <>{useContext(Terms)(of, children)}</>
}
