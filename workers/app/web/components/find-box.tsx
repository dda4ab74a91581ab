/** The box that filters a list as one types, with a pause, so that not every letter is a question to the server. */
import { type Signal, useSignal } from '@preact/signals'
import { useEffect, useLayoutEffect, useRef } from 'preact/hooks'
import { Icon } from '#shared/pages/icon.tsx'

const typingPauseMs = 250

/** The text in the box, and what takes it over: at once on screen, and after a pause in the address. */
export function useTyped(inAddress: string, commit: (text: string) => void): [Signal<string>, (text: string) => void] {
  const typed = useSignal(inAddress)
  const timer = useRef<ReturnType<typeof setTimeout>>(undefined)
  const latest = useRef(commit)
  latest.current = commit
  // Back and links change the words without anyone typing.
  useEffect(() => {
    typed.value = inAddress
  }, [inAddress, typed])
  // Known as soon as it is drawn: a list that is left again at once must not come back with its words.
  useLayoutEffect(() => () => clearTimeout(timer.current), [])
  function onText(text: string): void {
    typed.value = text
    clearTimeout(timer.current)
    timer.current = setTimeout(() => latest.current(text), typingPauseMs)
  }
  return [typed, onText]
}

export function FindBox(props: {
  label: string
  value: string
  maxLength: number
  onText: (text: string) => void
  /** In the bar of a wide screen, with its key beside it. */
  inBar?: boolean
  /** As wide as there is room. */
  grow?: boolean
}) {
  return (
    <label class={props.inBar ? 'find wide-only bar-find' : props.grow ? 'find grow' : 'find'}>
      <Icon name="search" />
      <span class="vh">{props.label}</span>
      <input
        class="input"
        type="search"
        data-search
        placeholder={props.label}
        maxLength={props.maxLength}
        value={props.value}
        onInput={(event) => props.onText(event.currentTarget.value)}
      />
      {props.inBar ? <kbd>/</kbd> : null}
    </label>
  )
}
