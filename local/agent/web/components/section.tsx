/** A part of a page, and how many it holds where that is said. */
import type { ComponentChildren } from 'preact'

export function Section({
  title,
  count,
  children,
}: {
  title: string
  count?: number | undefined
  children: ComponentChildren
}) {
  return (
    <section class="sec" aria-label={title}>
      <header>
        <h2>{title}</h2>
        {count === undefined ? null : <span class="n">{count}</span>}
      </header>
      {children}
    </section>
  )
}
