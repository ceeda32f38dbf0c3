import { GROUPING_STYLES } from '@scrim/core'
import type { GroupText } from '../engine/protocol.js'
import type { Session, State } from '../session.js'
import { Field } from './field.js'

const USUAL_CLASSES = '10'

/** Numbers that are to be matched in classes, not to the last digit. */
export function Groups({ session, state: { original, groups } }: { session: Session; state: State }) {
  const numbers = original?.info?.columns.filter(({ kind }) => kind === 'numeric') ?? []
  if (numbers.length === 0) return null
  const change = (column: string, group: GroupText | null) => {
    const { [column]: _, ...others } = groups
    session.setAbout({ groups: group === null ? others : { ...others, [column]: group } })
  }
  return (
    <details open={Object.keys(groups).length > 0}>
      <summary>Group numbers into classes</summary>
      <p class="grey">
        So that a key like age, or a target like income, is matched by its class. Breaks come from the original alone.
      </p>
      <table>
        <thead>
          <tr>
            <th scope="col">column</th>
            <th scope="col">style</th>
            <th scope="col">classes</th>
            <th scope="col">codes</th>
          </tr>
        </thead>
        <tbody>
          {numbers.map(({ name }) => (
            <Group key={name} column={name} group={groups[name] ?? null} onChange={(group) => change(name, group)} />
          ))}
        </tbody>
      </table>
    </details>
  )
}

function Group({
  column,
  group,
  onChange,
}: {
  column: string
  group: GroupText | null
  onChange: (group: GroupText | null) => void
}) {
  const [style, size = ''] = group === null ? ['', ''] : group.classes.split(':')
  const isFixed = style === 'fixed'
  return (
    <tr>
      <th scope="row">{column}</th>
      <td data-head="style">
        <select
          aria-label={`Style of ${column}`}
          value={style}
          onChange={({ currentTarget: { value } }) =>
            onChange(
              value === ''
                ? null
                : { classes: `${value}:${value === 'fixed' ? '' : USUAL_CLASSES}`, codes: group?.codes ?? '' },
            )
          }
        >
          <option value="">not grouped</option>
          {GROUPING_STYLES.map((one) => (
            <option key={one} value={one}>
              {one}
            </option>
          ))}
        </select>
      </td>
      <td data-head={isFixed ? 'breaks' : 'classes'}>
        {group === null ? null : (
          <Field
            type="text"
            aria-label={`${isFixed ? 'Breaks' : 'Classes'} of ${column}`}
            value={size}
            placeholder={isFixed ? '0|18|65' : USUAL_CLASSES}
            onValue={(text) => onChange({ ...group, classes: `${style}:${text.trim()}` })}
          />
        )}
      </td>
      <td data-head="codes">
        {group === null ? null : (
          <Field
            type="text"
            aria-label={`Codes of ${column}`}
            value={group.codes}
            placeholder="-8|-9"
            onValue={(text) => onChange({ ...group, codes: text.trim() })}
          />
        )}
      </td>
    </tr>
  )
}
