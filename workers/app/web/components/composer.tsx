/** Where the next message is written. It may be written while an answer is; it goes out once that is done. */
import type { Signal } from '@preact/signals'
import { useEffect, useId, useRef } from 'preact/hooks'
import { Icon } from '#shared/pages/icon.tsx'
import { typedInto } from '#shared/pages/set.ts'
import { assistantMessageCharactersMax } from '../../limits.ts'
import { words } from '../locales/words.ts'
import { grouped } from '../model/amounts.ts'

/** As the server counts them. */
function charactersOf(text: string): number {
  return [...text].length
}

function sendsWithEnter(event: KeyboardEvent): boolean {
  if (event.key !== 'Enter' || event.isComposing) return false
  // Thumbs have no Shift at hand: there the key begins a line, and the button sends.
  return event.ctrlKey || event.metaKey || (!event.shiftKey && !matchMedia('(pointer: coarse)').matches)
}

function goToRequest(): void {
  document.querySelector<HTMLElement>('[data-request]')?.focus()
}

export function Composer(props: {
  draft: Signal<string>
  busy: boolean
  running: boolean
  /** How many actions wait for a decision. */
  waiting: number
  /** Writing goes on here: it was begun in another box. */
  takesFocus?: boolean
  onSend: (text: string) => void
  onStop?: () => void
}) {
  const { draft, running } = props
  const text = words.value.assistant
  const id = useId()
  const box = useRef<HTMLTextAreaElement>(null)
  useEffect(() => {
    if (props.takesFocus === true) box.current?.focus()
  }, [])
  const length = charactersOf(draft.value)
  const isTooLong = length > assistantMessageCharactersMax
  const mayNotSend = running || props.busy || isTooLong || draft.value.trim() === ''

  function send(): void {
    if (mayNotSend) return
    props.onSend(draft.value)
    box.current?.focus()
  }

  return (
    <form
      class="composer"
      onSubmit={(event) => {
        event.preventDefault()
        send()
      }}
    >
      {props.waiting === 0 ? null : (
        <div class="askbar phone-only">
          <span class="acc">
            <Icon name="shield" />
          </span>
          <span class="grow cut">{text.waiting(grouped(props.waiting))}</span>
          <button class="btn" type="button" onClick={goToRequest}>
            {text.look}
          </button>
        </div>
      )}
      <label class="vh" for={id}>
        {text.message}
      </label>
      <textarea
        id={id}
        ref={box}
        class="input"
        rows={2}
        dir="auto"
        placeholder={running ? text.placeholderBusy : text.placeholder}
        value={draft.value}
        aria-invalid={isTooLong ? 'true' : undefined}
        aria-describedby={`${id}-count`}
        onInput={typedInto(draft)}
        onKeyDown={(event) => {
          if (event.key === 'Escape' && !event.isComposing) goToRequest()
          if (!sendsWithEnter(event)) return
          event.preventDefault()
          send()
        }}
      />
      <div class="c-f">
        <span class={isTooLong ? 'bad small' : 'faint small'} id={`${id}-count`}>
          {isTooLong
            ? text.tooLong(grouped(length - assistantMessageCharactersMax))
            : text.count(grouped(length), grouped(assistantMessageCharactersMax))}
        </span>
        <span class="btns">
          {running && props.onStop !== undefined ? (
            <button class="btn" type="button" onClick={props.onStop}>
              <Icon name="stop" />
              {text.stop}
            </button>
          ) : null}
          <button class="btn primary" type="submit" disabled={mayNotSend}>
            <Icon name="send" />
            {text.send}
          </button>
        </span>
      </div>
    </form>
  )
}
