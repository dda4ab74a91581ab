/** A field for one symbol: what one types is searched for, and the symbol chosen is meant exactly. */
import { useSignal } from '@preact/signals'
import { useEffect, useId } from 'preact/hooks'
import { setting } from '#shared/pages/set.ts'
import { api } from '../api/client.ts'
import { useAnswer } from '../api/use-answer.ts'
import { arrowStep, Option } from './option.tsx'
import { KindWord, Place } from './symbol-link.tsx'

const shownMax = 8
/** Not on any path. */
const unusable = new Set(['file', 'import', 'export', 'parameter'])

export function SymbolPicker(props: {
  label: string
  placeholder: string
  noMatch: string
  /** What the address names: an id or a name. */
  value: string
  /** How an id is told to a reader. */
  shown: string
  onPick: (value: string) => void
}) {
  const typed = useSignal<string | undefined>(undefined)
  const isOpen = useSignal(false)
  const marked = useSignal(-1)
  const list = useId()
  const asked = typed.value?.trim() ?? ''
  const answer = useAnswer(asked === '' ? undefined : api.search(asked, shownMax * 2))
  const { data, isCurrent } = answer.reading.value
  const items =
    asked === '' ? [] : (data?.results.items ?? []).filter((one) => !unusable.has(one.kind)).slice(0, shownMax)
  const isShown = isOpen.value && asked !== ''
  useEffect(() => {
    typed.value = undefined
    isOpen.value = false
  }, [props.value])
  useEffect(() => {
    marked.value = -1
  }, [asked])

  function pick(value: string): void {
    isOpen.value = false
    if (value === props.value) typed.value = undefined
    else if (value !== '') props.onPick(value)
  }
  function onKeyDown(event: KeyboardEvent): void {
    if (event.isComposing) return
    const step = arrowStep(event)
    if (step !== 0) {
      isOpen.value = true
      marked.value = Math.min(items.length - 1, Math.max(-1, marked.value + step))
    } else if (event.key === 'Enter' && typed.value !== undefined) {
      event.preventDefault()
      pick(items[marked.value]?.id ?? asked)
    } else if (event.key === 'Escape') isOpen.value = false
  }
  return (
    <div class="picker">
      <label class="field-inline">
        <span class="small muted">{props.label}</span>
        <input
          class="input mono"
          type="text"
          role="combobox"
          aria-autocomplete="list"
          aria-expanded={isShown}
          aria-controls={list}
          aria-activedescendant={isShown && marked.value >= 0 ? `${list}-${marked.value}` : undefined}
          autocomplete="off"
          autocapitalize="off"
          spellcheck={false}
          placeholder={props.placeholder}
          value={typed.value ?? props.shown}
          onInput={(event) => {
            typed.value = event.currentTarget.value
            isOpen.value = true
          }}
          onFocus={(event) => event.currentTarget.select()}
          onBlur={setting(isOpen, false)}
          onChange={() => {
            if (asked !== '') pick(asked)
          }}
          onKeyDown={onKeyDown}
        />
      </label>
      <div class="pop" id={list} role="listbox" aria-label={props.label} hidden={!isShown}>
        {items.map((item, at) => (
          <Option key={item.id} id={`${list}-${at}`} isMarked={marked.value === at} open={() => pick(item.id)}>
            <KindWord kind={item.kind} />
            <span class="mono cut">{item.qualifiedName}</span>
            <Place file={item.file} line={item.line} />
          </Option>
        ))}
        {isCurrent && items.length === 0 ? <p class="faint pop-none">{props.noMatch}</p> : null}
      </div>
    </div>
  )
}
