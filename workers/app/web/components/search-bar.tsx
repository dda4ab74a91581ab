/** The bar of a screen on which somebody looks for words and sends them. */
import type { Signal } from '@preact/signals'
import type { ComponentChildren } from 'preact'
import { Icon } from '#shared/pages/icon.tsx'
import { typedInto } from '#shared/pages/set.ts'

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
        <label class="find grow">
          <Icon name="search" />
          <span class="vh">{props.label}</span>
          <input
            class="input"
            type="search"
            data-search
            maxLength={props.charactersMax}
            placeholder={props.label}
            value={props.typed.value}
            onInput={typedInto(props.typed)}
          />
        </label>
        {props.children}
      </form>
    </search>
  )
}
