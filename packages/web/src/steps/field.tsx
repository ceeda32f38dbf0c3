import { useState } from 'preact/hooks'

interface About {
  readonly type: 'text' | 'number'
  readonly id?: string
  readonly 'aria-label'?: string
  readonly placeholder?: string
  readonly min?: string
  readonly step?: string
}

/**
 * A field for text or a number. It keeps what is being typed, whatever else on the page changes meanwhile, and hands it over when
 * it is left.
 */
export function Field({
  value,
  onValue,
  type,
  ...about
}: About & { readonly value: string | number; readonly onValue: (text: string) => void }) {
  const [typed, setTyped] = useState<string | null>(null)
  return (
    <input
      {...about}
      // The types of elements tell texts from numbers by more than is asked for here.
      type={type as 'number'}
      value={typed ?? value}
      onInput={({ currentTarget }) => setTyped(currentTarget.value)}
      onChange={({ currentTarget }) => {
        setTyped(null)
        onValue(currentTarget.value)
      }}
      onBlur={() => setTyped(null)}
    />
  )
}
