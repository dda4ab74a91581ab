import type { ComponentChildren } from 'preact'
import { usePageTitle } from './shell.tsx'

/** A view that is one list: its name, what it lists, and the list. */
export function ListingPage(props: { text: { title: string; about: string }; children: ComponentChildren }) {
  const { title, about } = props.text
  usePageTitle(title)
  return (
    <div class="page listing">
      <div>
        <h1>{title}</h1>
        <p class="muted">{about}</p>
      </div>
      {props.children}
    </div>
  )
}
