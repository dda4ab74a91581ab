/** The bar of a screen on which somebody looks for words and sends them. */
import type { Signal } from '@preact/signals'
import type { ComponentChildren } from 'preact'
import { into } from '#shared/pages/set.ts'
import { FindBox } from './find-box.tsx'

export function SearchBar(props: {
  label: string
  typed: Signal<string>
  charactersMax: number
  onSubmit: () => void
  /** The button that sends it. */
  children: ComponentChildren
}) {
  return (
    <search class="sform-in">
      <form
        class="sform"
        onSubmit={(event) => {
          event.preventDefault()
          props.onSubmit()
        }}
      >
        <FindBox
          grow
          label={props.label}
          maxLength={props.charactersMax}
          value={props.typed.value}
          onText={into(props.typed)}
        />
        {props.children}
      </form>
    </search>
  )
}
