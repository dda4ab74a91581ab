import type { ComponentChildren } from 'preact'
import type { IconName } from '#shared/pages/icon.tsx'
import { bytesAmount } from '../model/amounts.ts'
import { Figure } from './figure.tsx'
import { StateMark } from './state-mark.tsx'
import { Name } from './torrent-name.tsx'

/** A torrent about which something was decided: how it stands, its name and size, and below that what there is to say. */
export function DecidedRow(props: {
  mark: readonly [IconName, string]
  state: string
  title: string
  /** Undefined where it is not known. */
  size: number | undefined
  /** Where, and when. */
  about: ComponentChildren
  button?: ComponentChildren
  children?: ComponentChildren
}) {
  const [mark, tone] = props.mark
  return (
    <li class="decided">
      <div class="dl-h">
        <StateMark mark={mark} tone={tone}>
          {props.state}
        </StateMark>
        <span class="grow">
          <Name name={props.title} />
        </span>
        {props.size === undefined ? null : (
          <span class="num small">
            <Figure amount={bytesAmount(props.size)} />
          </span>
        )}
        <span class="faint small">{props.about}</span>
        {props.button}
      </div>
      {props.children}
    </li>
  )
}

/** Shows below a row why it came to that. */
export function WhyButton(props: { title: string; words: string; isOpen: boolean; onToggle: () => void }) {
  return (
    <button
      class="btn quiet"
      type="button"
      aria-expanded={props.isOpen}
      aria-label={`${props.words} ${props.title}`}
      onClick={props.onToggle}
    >
      {props.words}
    </button>
  )
}
