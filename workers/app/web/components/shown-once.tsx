/** A secret that is shown this once: to be copied, and gone with the page. */
import { useSignal } from '@preact/signals'
import type { ComponentChildren } from 'preact'
import { useRef } from 'preact/hooks'
import { Icon } from '#shared/pages/icon.tsx'
import { words } from '../locales/words.ts'

export function ShownOnce(props: {
  lead: string
  label: string
  secret: string
  done: string
  onDone: () => void
  children?: ComponentChildren
}) {
  const field = useRef<HTMLInputElement>(null)
  const copied = useSignal(false)
  async function copy(): Promise<void> {
    field.current?.select()
    try {
      await navigator.clipboard.writeText(props.secret)
      copied.value = true
    } catch {
      // Without https there is no clipboard for pages; the text is selected, and the old command still copies it.
      copied.value = document.execCommand('copy')
    }
  }
  return (
    <section class="ask" aria-label={props.label}>
      <p>
        <b>{props.lead}</b>
      </p>
      <div class="secret">
        <input
          ref={field}
          class="input mono"
          readOnly
          value={props.secret}
          aria-label={props.label}
          onFocus={(event) => event.currentTarget.select()}
        />
        <button class="btn" type="button" onClick={() => void copy()}>
          <Icon name={copied.value ? 'check' : 'copy'} />
          {copied.value ? words.value.common.copied : words.value.common.copy}
        </button>
        <span class="vh" role="status">
          {copied.value ? words.value.common.copied : ''}
        </span>
      </div>
      {props.children}
      <div class="btns">
        <button class="btn quiet" type="button" onClick={props.onDone}>
          {props.done}
        </button>
      </div>
    </section>
  )
}
