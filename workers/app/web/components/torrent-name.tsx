/** A long name that keeps both its ends. */
import { nameEnds } from '../model/name-ends.ts'

export function Name({ name }: { name: string }) {
  const { head, tail } = nameEnds(name)
  if (tail === '')
    return (
      <span class="cut" title={name}>
        {name}
      </span>
    )
  return (
    <span class="ends" title={name}>
      <span class="cut">{head}</span>
      <span>{tail}</span>
    </span>
  )
}
