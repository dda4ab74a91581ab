/** How the try of a connection went, before anything is stored. */
import type { ComponentChildren } from 'preact'
import { Icon } from '#shared/pages/icon.tsx'

export function TestReport(props: {
  title: string
  works: boolean
  said: string
  /** Why it failed. */
  reason: ComponentChildren
  /** Beside what is said, and as further lines. */
  beside?: ComponentChildren
  children?: ComponentChildren
}) {
  const { works } = props
  return (
    <section class={works ? 'sec test' : 'sec test open'} role="status">
      <header>
        <h2>{props.title}</h2>
      </header>
      <ul class="rows checks">
        <li>
          <span class={works ? 'good' : 'bad'}>
            <Icon name={works ? 'm-done' : 'm-bad'} />
          </span>
          <span class="grow">
            <b>{props.said}</b>
            {works ? null : <span class="s">{props.reason}</span>}
          </span>
          {props.beside}
        </li>
        {props.children}
      </ul>
    </section>
  )
}
