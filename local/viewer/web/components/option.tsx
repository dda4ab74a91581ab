/** A list under a field: its rows, and the arrow keys that walk over them while the field keeps the focus. */
import type { ComponentChildren } from 'preact'

/** The step that an arrow key asks for, which is then no longer the browser's; 0 for any other key. */
export function arrowStep(event: KeyboardEvent): -1 | 0 | 1 {
  const step = event.key === 'ArrowDown' ? 1 : event.key === 'ArrowUp' ? -1 : 0
  if (step !== 0) event.preventDefault()
  return step
}

/** Chosen with the keys of the field; the pointer only takes it over. */
export function Option(props: { id: string; isMarked: boolean; open: () => void; children: ComponentChildren }) {
  return (
    // biome-ignore lint/a11y/useKeyWithClickEvents: the keys are those of the field, which keeps the focus
    <div
      id={props.id}
      class="option"
      role="option"
      tabIndex={-1}
      aria-selected={props.isMarked}
      onPointerDown={(event) => event.preventDefault()}
      onClick={props.open}
    >
      {props.children}
    </div>
  )
}
