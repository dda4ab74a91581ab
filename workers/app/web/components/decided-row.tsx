import type { ComponentChildren } from 'preact'
import type { IconName } from '#shared/pages/icon.tsx'
import type { WireCandidate } from '../../contract/console-rules.ts'
import { bytesAmount } from '../model/amounts.ts'
import { Figure } from './figure.tsx'
import { StateMark } from './state-mark.tsx'
import { Name } from './torrent-name.tsx'
import { WhyButton } from './why.tsx'

/** A torrent about which something was decided: how it stands, its name and size, and below that what there is to say. */
export function DecidedRow(props: {
  mark: readonly [IconName, string]
  state: string
  title: string
  /** Undefined where it is not known. */
  size: number | undefined
  /** Where, and when. */
  about: ComponentChildren
  /** As it was then. */
  was?: WireCandidate
  /** Why it came to that; left out where nobody kept it. */
  why?: (() => ComponentChildren) | undefined
  button?: ComponentChildren
  children?: ComponentChildren
}) {
  const { title, about, was, why } = props
  const [mark, tone] = props.mark
  const state = (
    <StateMark mark={mark} tone={tone}>
      {props.state}
    </StateMark>
  )
  return (
    <li class="decided">
      <div class="dl-h">
        {state}
        <span class="grow">
          <Name name={title} />
        </span>
        {props.size === undefined ? null : (
          <span class="num small">
            <Figure amount={bytesAmount(props.size)} />
          </span>
        )}
        <span class="faint small">{about}</span>
        {props.button}
        {why === undefined ? null : <WhyButton of={{ title, state, about, was, why }} />}
      </div>
      {props.children}
    </li>
  )
}
