/** A part of a page with how many it holds. */
import type { ComponentChildren } from 'preact'

export function Section({ title, count, children }: { title: string; count: number; children: ComponentChildren }) {
  return (
    <section class="sec" aria-label={title}>
      <header>
        <h2>{title}</h2>
        <span class="n">{count}</span>
      </header>
      {children}
    </section>
  )
}
