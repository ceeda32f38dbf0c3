/** What is wrong, said at once to whoever listens. */
export function Problems({ problems }: { problems: readonly string[] }) {
  if (problems.length === 0) return null
  return (
    <ul class="problems" role="alert">
      {problems.map((problem) => (
        <li key={problem}>{problem}</li>
      ))}
    </ul>
  )
}

export function Warnings({ warnings }: { warnings: readonly string[] }) {
  if (warnings.length === 0) return null
  return (
    <div class="warnings" role="status">
      <p>Before you run</p>
      <ul>
        {warnings.map((warning) => (
          <li key={warning}>{warning}</li>
        ))}
      </ul>
    </div>
  )
}

/** Why the button beside it cannot be pressed. */
export function Reason({ reason }: { reason: string | null }) {
  return (
    <span class="grey" role="status">
      {reason ?? ''}
    </span>
  )
}
