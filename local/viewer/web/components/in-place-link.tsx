/** A link to another state of the view on screen: followed without leaving the place on the page. */
import type { ComponentChildren } from 'preact'
import { goInPlace } from '../router.ts'

/** For `onClick` of a link, to follow it or to act; a click that asks for a new tab or window is the browser's. */
export function inPlace(event: MouseEvent, to: string | (() => void)): void {
  if (event.defaultPrevented || event.button !== 0 || event.ctrlKey || event.metaKey || event.shiftKey || event.altKey)
    return
  event.preventDefault()
  if (typeof to === 'string') goInPlace(to)
  else to()
}

export function InPlaceLink(props: {
  to: string
  children: ComponentChildren
  class?: string
  title?: string
  label?: string
  isCurrent?: boolean
  /** Whether J and K walk over it. */
  isRow?: boolean
}) {
  return (
    <a
      class={props.class}
      href={props.to}
      title={props.title}
      aria-label={props.label}
      aria-current={props.isCurrent === true ? 'true' : undefined}
      data-row={props.isRow === true ? '' : undefined}
      onClick={(event) => inPlace(event, props.to)}
    >
      {props.children}
    </a>
  )
}
