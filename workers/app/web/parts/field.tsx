import type { ComponentChildren } from 'preact'
import { useId } from 'preact/hooks'

interface TextFieldProps {
  readonly label: string
  readonly value: string
  readonly onText: (text: string) => void
  readonly secret?: boolean
  readonly name?: string
  readonly autocomplete?: string
  readonly maxLength: number
  readonly hint?: string | undefined
  readonly error?: string | undefined
  /** For addresses: fixed-width letters, no spelling, the keyboard phones have for it. */
  readonly address?: boolean
}

/** A labelled text box: hint below, and below that in red what is allowed. */
export function TextField(props: TextFieldProps) {
  const { hint, error } = props
  const id = useId()
  const described = [hint === undefined ? '' : `${id}-hint`, error === undefined ? '' : `${id}-error`]
    .filter(Boolean)
    .join(' ')
  const shared = {
    id,
    class: props.address ? 'input mono' : 'input',
    name: props.name,
    autocomplete: props.autocomplete ?? 'off',
    maxLength: props.maxLength,
    spellcheck: false,
    inputMode: props.address ? 'url' : undefined,
    value: props.value,
    'aria-invalid': error === undefined ? undefined : 'true',
    'aria-describedby': described === '' ? undefined : described,
    onInput: (event: InputEvent & { currentTarget: HTMLInputElement }) => props.onText(event.currentTarget.value),
  } as const
  return (
    <div class="field">
      <label for={id}>{props.label}</label>
      {props.secret ? <input {...shared} type="password" /> : <input {...shared} type="text" />}
      {hint === undefined ? null : (
        <span class="hint" id={`${id}-hint`}>
          {hint}
        </span>
      )}
      {error === undefined ? null : (
        <span class="hint bad" id={`${id}-error`}>
          {error}
        </span>
      )}
    </div>
  )
}

export function Tick(props: { checked: boolean; onChange: (on: boolean) => void; children: ComponentChildren }) {
  return (
    <label class="tick">
      <input
        type="checkbox"
        checked={props.checked}
        onChange={(event) => props.onChange(event.currentTarget.checked)}
      />
      <span>{props.children}</span>
    </label>
  )
}

/** One of a few, as cards with a word of explanation each. */
export function Choice<T extends string>(props: {
  legend: string
  name: string
  value: T
  options: readonly { readonly value: T; readonly label: string; readonly hint?: string }[]
  onChoose: (value: T) => void
}) {
  return (
    <fieldset>
      <legend class="label">{props.legend}</legend>
      <div class="seg2">
        {props.options.map((option) => (
          <label key={option.value} class={option.value === props.value ? 'choice on' : 'choice'}>
            <input
              type="radio"
              name={props.name}
              checked={option.value === props.value}
              onChange={() => props.onChoose(option.value)}
            />
            <span>
              <b>{option.label}</b>
              {option.hint === undefined ? null : <span class="faint small">{option.hint}</span>}
            </span>
          </label>
        ))}
      </div>
    </fieldset>
  )
}
