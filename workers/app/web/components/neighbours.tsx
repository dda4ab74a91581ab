/** The one before and the one after, in the list that one came from. */
import { Icon } from '#shared/pages/icon.tsx'
import { words } from '../locales/words.ts'

export interface Neighbour {
  readonly hash: string
  readonly name: string
}

export function Neighbours(props: {
  label: string
  /** From 1. */
  at: number
  count: number
  before: Neighbour | undefined
  after: Neighbour | undefined
}) {
  const text = words.value.common
  const others = [
    ['up', text.previous, props.before],
    ['down', text.next, props.after],
  ] as const
  return (
    <nav class="btns" aria-label={props.label}>
      <span class="faint small num">{text.placeOf(props.at, props.count)}</span>
      {others.map(([icon, name, one]) =>
        one === undefined ? (
          <button class="btn quiet icon" key={icon} type="button" disabled aria-label={name}>
            <Icon name={icon} />
          </button>
        ) : (
          <a class="btn quiet icon" key={icon} href={one.hash} aria-label={`${name}: ${one.name}`}>
            <Icon name={icon} />
          </a>
        ),
      )}
    </nav>
  )
}
