/** A few choices of which one may be on; pressing it again takes it back where `optional`. */
export function Toggles<Choice extends string>({
  label,
  choices,
  chosen,
  onChoose,
  titles,
  isOptional = false,
}: {
  label: string
  choices: readonly Choice[]
  chosen: Choice | null
  onChoose: (choice: Choice | null) => void
  titles?: Readonly<Partial<Record<Choice, string>>>
  isOptional?: boolean
}) {
  return (
    // biome-ignore lint/a11y/useSemanticElements: a fieldset per row of a table would be read out with every cell
    <div class="toggles" role="group" aria-label={label}>
      {choices.map((choice) => (
        <button
          key={choice}
          type="button"
          aria-pressed={choice === chosen}
          onClick={() => onChoose(choice === chosen && isOptional ? null : choice)}
        >
          {titles?.[choice] ?? choice}
        </button>
      ))}
    </div>
  )
}
