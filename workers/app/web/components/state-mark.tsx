/** A state as mark, colour and word: never by colour alone. */
import type { ComponentChildren } from 'preact'
import { Icon, type IconName } from '#shared/pages/icon.tsx'

export function StateMark(props: { mark: IconName; tone: string; children: ComponentChildren }) {
  return (
    <span class="st">
      <span class={props.tone}>
        <Icon name={props.mark} />
      </span>
      {props.children}
    </span>
  )
}
