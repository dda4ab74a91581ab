/** The box a template's text is written in: numbered lines, drawn behind a text area that shows only its caret. */
import { useId, useRef } from 'preact/hooks'
import { templateLines } from '../model/template-pieces.ts'

const classes = { text: undefined, tag: 'k-k', name: 'k-t' } as const

export interface BoxHandle {
  /** Puts a text where the caret is. */
  insert(text: string): void
}

export function TemplateBox(props: {
  label: string
  value: string
  onText: (text: string) => void
  /** The line that is not right, from 1. */
  wrongLine: number | undefined
  describedBy: string | undefined
  handle: { current: BoxHandle | undefined }
}) {
  const id = useId()
  const area = useRef<HTMLTextAreaElement>(null)
  props.handle.current = {
    insert(text) {
      const box = area.current
      if (box === null) return
      box.focus()
      box.setRangeText(text, box.selectionStart, box.selectionEnd, 'end')
      props.onText(box.value)
    },
  }
  return (
    <div class="field">
      <label for={id}>{props.label}</label>
      <div class={props.wrongLine === undefined ? 'editor code' : 'editor code bad-text'}>
        <div class="drawn" aria-hidden="true">
          {templateLines(props.value).map((pieces, at) => (
            <div key={at} class={at + 1 === props.wrongLine ? 'ln err' : 'ln'}>
              <span class="no">{at + 1}</span>
              <code>
                {pieces.map((piece, place) => (
                  <span key={place} class={classes[piece.kind]}>
                    {piece.text}
                  </span>
                ))}
                {'\u200b'}
              </code>
            </div>
          ))}
        </div>
        <textarea
          ref={area}
          id={id}
          spellcheck={false}
          autocomplete="off"
          value={props.value}
          aria-invalid={props.wrongLine === undefined ? undefined : 'true'}
          aria-describedby={props.describedBy}
          onInput={(event) => props.onText(event.currentTarget.value)}
        />
      </div>
    </div>
  )
}
