import type { ComponentChildren } from 'preact'

/** A section's name, what it counts, and what stands at its end. */
export function SectionHead(props: { title: string; count?: ComponentChildren; end?: ComponentChildren }) {
  return (
    <header>
      <h2>{props.title}</h2>
      {props.count === undefined ? null : <span class="n">{props.count}</span>}
      {props.end === undefined ? null : <span class="end">{props.end}</span>}
    </header>
  )
}
