import type { ComponentChildren } from 'preact'

/** A part of a screen under a heading of its own. */
export function Section({
  title,
  children,
}: {
  readonly title: ComponentChildren
  readonly children: ComponentChildren
}) {
  return (
    <section class="sec">
      <header>
        <h2>{title}</h2>
      </header>
      {children}
    </section>
  )
}
