/** Fields of a form, each with its label, a hint, and what is wrong with it. */
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
  /** For what a machine reads: fixed-width letters. */
  readonly code?: boolean
  /** For whole numbers: the keyboard phones have for them. */
  readonly number?: boolean
  readonly type?: 'url' | 'datetime-local'
  /** The browser itself asks for it. */
  readonly required?: boolean
  /** Offered, and not the only ones. */
  readonly choices?: readonly string[] | undefined
}

function describe(id: string, hint: string | undefined, error: string | undefined): string | undefined {
  const parts = [hint === undefined ? '' : `${id}-hint`, error === undefined ? '' : `${id}-error`].filter(Boolean)
  return parts.length === 0 ? undefined : parts.join(' ')
}

/** A label above, the hint below, and below that in red what is allowed. */
function Labelled(props: {
  id: string
  label: string
  hint: string | undefined
  error: string | undefined
  children: ComponentChildren
}) {
  const { id, hint, error } = props
  return (
    <div class="field">
      <label for={id}>{props.label}</label>
      {props.children}
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

export function TextField(props: TextFieldProps) {
  const { hint, error } = props
  const id = useId()
  const shared = {
    id,
    class: props.address || props.code ? 'input mono' : 'input',
    name: props.name,
    autocomplete: props.autocomplete ?? 'off',
    maxLength: props.maxLength,
    required: props.required,
    spellcheck: false,
    inputMode: props.address ? 'url' : props.number ? 'numeric' : undefined,
    value: props.value,
    'aria-invalid': error === undefined ? undefined : 'true',
    'aria-describedby': describe(id, hint, error),
    onInput: (event: InputEvent & { currentTarget: HTMLInputElement }) => props.onText(event.currentTarget.value),
  } as const
  return (
    <Labelled id={id} label={props.label} hint={hint} error={error}>
      {props.secret ? (
        <input {...shared} type="password" />
      ) : (
        <input
          {...shared}
          type={props.type ?? 'text'}
          list={props.choices === undefined ? undefined : `${id}-choices`}
        />
      )}
      {props.choices === undefined ? null : (
        <datalist id={`${id}-choices`}>
          {props.choices.map((choice) => (
            <option key={choice} value={choice} />
          ))}
        </datalist>
      )}
    </Labelled>
  )
}

/** For text of several lines. */
export function TextArea(
  props: Pick<TextFieldProps, 'label' | 'value' | 'onText' | 'maxLength' | 'hint' | 'error' | 'secret' | 'required'> & {
    readonly rows?: number
    /** Read by people, and not by a machine. */
    readonly prose?: boolean
  },
) {
  const { hint, error } = props
  const id = useId()
  return (
    <Labelled id={id} label={props.label} hint={hint} error={error}>
      <textarea
        id={id}
        class={props.prose ? 'input' : props.secret ? 'input mono veiled' : 'input mono'}
        rows={props.rows ?? 5}
        autocomplete="off"
        spellcheck={props.prose === true}
        maxLength={props.maxLength}
        required={props.required}
        value={props.value}
        aria-invalid={error === undefined ? undefined : 'true'}
        aria-describedby={describe(id, hint, error)}
        onInput={(event) => props.onText(event.currentTarget.value)}
      />
    </Labelled>
  )
}

export function SelectField(props: {
  label: string
  value: string
  options: readonly { readonly value: string; readonly label: string }[]
  onChoose: (value: string) => void
  hint?: string | undefined
}) {
  const id = useId()
  return (
    <Labelled id={id} label={props.label} hint={props.hint} error={undefined}>
      <select
        id={id}
        aria-describedby={describe(id, props.hint, undefined)}
        class="input"
        value={props.value}
        onChange={(event) => props.onChoose(event.currentTarget.value)}
      >
        {props.options.map((option) => (
          <option key={option.value} value={option.value}>
            {option.label}
          </option>
        ))}
      </select>
    </Labelled>
  )
}

export function Tick(props: {
  checked: boolean
  onChange: (on: boolean) => void
  children: ComponentChildren
  /** What says that it is wrong. */
  faultId?: string | undefined
}) {
  return (
    <label class="tick">
      <input
        type="checkbox"
        checked={props.checked}
        aria-invalid={props.faultId === undefined ? undefined : 'true'}
        aria-describedby={props.faultId}
        onChange={(event) => props.onChange(event.currentTarget.checked)}
      />
      <span>{props.children}</span>
    </label>
  )
}
