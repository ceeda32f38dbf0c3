import { type ComponentChildren, createContext } from 'preact'
import { useContext } from 'preact/hooks'

/** How a term of the field is shown; on paper it is its word, in the page it can be asked what it means. */
export type TermOf = (term: string, children: ComponentChildren) => ComponentChildren

export const Terms = createContext<TermOf>((_, children) => children)

/** What stands beside an option that can be typed; on paper nothing, in the page it can be set. */
export const OptionButtons = createContext<(option: string) => ComponentChildren>(() => null)

/** Text of the command line; `option` is what it sets. */
export function Code({ option, children }: { option: string | undefined; children: ComponentChildren }) {
  const buttonOf = useContext(OptionButtons)
  return (
    <>
      <code>{children}</code>
      {option === undefined ? null : buttonOf(option)}
    </>
  )
}

/** A word that the glossary explains under `of`. */
export function Term({ of, children }: { of: string; children: ComponentChildren }) {
  return <>{useContext(Terms)(of, children)}</>
}
