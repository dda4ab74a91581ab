/** Fields in which something is chosen from what stands there. */
import { useId } from 'preact/hooks'
import { Tick } from '#shared/pages/field.tsx'
import { OneOf } from './one-of.tsx'

interface Option<T extends string> {
  readonly value: T
  readonly label: string
  readonly hint?: string
}

/** Any of several; what was chosen stays in the order of all. */
export function Ticks<T extends string>(props: {
  legend: string
  options: readonly Option<T>[]
  value: readonly T[]
  onChoose: (value: T[]) => void
  look?: string
  hint?: string
  error?: string | undefined
}) {
  const { options, value, error } = props
  const id = useId()
  return (
    <fieldset>
      <legend class="label">{props.legend}</legend>
      <div class={`ticks ${props.look ?? ''}`}>
        {options.map((option, at) => (
          <Tick
            key={option.value}
            checked={value.includes(option.value)}
            faultId={error !== undefined && at === 0 ? id : undefined}
            onChange={(on) =>
              props.onChoose(
                options.map((one) => one.value).filter((one) => (one === option.value ? on : value.includes(one))),
              )
            }
          >
            {option.label}
            {option.hint === undefined ? null : <span class="faint small"> {option.hint}</span>}
          </Tick>
        ))}
      </div>
      {props.hint === undefined ? null : <span class="hint faint small">{props.hint}</span>}
      {error === undefined ? null : (
        <span class="hint bad" id={id}>
          {error}
        </span>
      )}
    </fieldset>
  )
}

/** One of a few words, side by side. */
export function Options<T extends string>(props: {
  legend: string
  options: readonly Option<T>[]
  value: T
  onChoose: (value: T) => void
}) {
  const hint = props.options.find(({ value }) => value === props.value)?.hint
  return (
    <fieldset>
      <legend class="label">{props.legend}</legend>
      <div class="btns">
        <OneOf
          of={props.options.map(({ value }) => value)}
          value={props.value}
          nameOf={(one) => props.options.find(({ value }) => value === one)?.label ?? one}
          onChoose={props.onChoose}
        />
      </div>
      {hint === undefined ? null : <p class="faint small">{hint}</p>}
    </fieldset>
  )
}

/** One of a few, as cards with a word of explanation each. */
export function Choice<T extends string>(props: {
  legend: string
  name: string
  value: T
  options: readonly Option<T>[]
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
