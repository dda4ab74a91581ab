/** The conditions of a rule in its row: each is changed where it stands, or another one added. */
import { useSignal } from '@preact/signals'
import { useLayoutEffect, useRef } from 'preact/hooks'
import { Icon } from '#shared/pages/icon.tsx'
import { ruleConditionsMax } from '../../limits.ts'
import { words } from '../locales/words.ts'
import {
  type AnyCondition,
  type ConditionDraft,
  type ConditionField,
  conditionDraftOf,
  newCondition,
  readCondition,
} from '../model/condition-form.ts'
import { ClauseWords } from './clauses.tsx'
import { ConditionLine } from './condition-lines.tsx'

/** Enter keeps it, Escape leaves it as it was. */
function Editor(props: {
  start: ConditionDraft
  fields: readonly ConditionField[]
  at: number
  isNew: boolean
  /** Undefined leaves it as it is. */
  onEnd: (condition: AnyCondition | 'remove' | undefined) => void
}) {
  const text = words.value.rules
  const line = useSignal(props.start)
  const isTried = useSignal(false)
  const frame = useRef<HTMLFormElement>(null)
  useLayoutEffect(() => {
    const fields = [...(frame.current?.querySelectorAll<HTMLElement>('.field :is(input, select)') ?? [])]
    // Of a new one it is not known yet what is asked.
    fields.at(props.isNew ? 0 : -1)?.focus()
  }, [])
  return (
    <form
      ref={frame}
      class="full"
      onSubmit={(event) => {
        event.preventDefault()
        const condition = readCondition(line.value)
        if (condition === undefined) isTried.value = true
        else props.onEnd(condition)
      }}
      onKeyDown={(event) => {
        if (event.key !== 'Escape') return
        event.stopPropagation()
        props.onEnd(undefined)
      }}
    >
      <ul>
        <ConditionLine
          line={line.value}
          fields={props.fields}
          at={props.at}
          error={isTried.value && readCondition(line.value) === undefined ? text.conditionWrong : undefined}
          onChange={(next) => {
            line.value = next
          }}
          onRemove={() => props.onEnd('remove')}
        />
      </ul>
      <div class="btns">
        <button class="btn" type="submit">
          {text.keepCondition}
        </button>
        <button class="btn quiet" type="button" onClick={() => props.onEnd(undefined)}>
          {words.value.common.cancel}
          <kbd class="wide-only">Esc</kbd>
        </button>
      </div>
    </form>
  )
}

export function RuleConditions(props: {
  name: string
  conditions: readonly AnyCondition[]
  /** As they are stored. */
  stored: readonly AnyCondition[]
  fields: readonly ConditionField[]
  onChange: (conditions: readonly AnyCondition[]) => void
}) {
  const { conditions } = props
  const text = words.value.rules
  const open = useSignal<number | undefined>(undefined)
  const list = useRef<HTMLDivElement>(null)
  /** Where the focus goes back to once that is drawn. */
  const left = useRef<number>(undefined)
  const isStored = new Set(props.stored.map((one) => JSON.stringify(one)))
  useLayoutEffect(() => {
    if (open.value !== undefined || left.current === undefined) return
    const chips = [...(list.current?.querySelectorAll<HTMLElement>('.opt') ?? [])]
    chips[Math.min(left.current, chips.length - 1)]?.focus()
    left.current = undefined
  }, [open.value])

  function end(at: number, condition: AnyCondition | 'remove' | undefined): void {
    left.current = at
    open.value = undefined
    if (condition === undefined) return
    const next: AnyCondition[] = [...conditions]
    if (condition === 'remove') next.splice(at, 1)
    else next[at] = condition
    // The last one stays: a rule without any would take everything.
    if (next.length > 0) props.onChange(next)
  }

  const editor = (at: number) => {
    const condition = conditions[at]
    return (
      <Editor
        key={at}
        start={condition === undefined ? newCondition(at, 'size_gib') : conditionDraftOf(condition, at)}
        fields={props.fields}
        at={at}
        isNew={condition === undefined}
        onEnd={(ended) => end(at, ended)}
      />
    )
  }
  return (
    <div class="dl-b" ref={list}>
      {conditions.map((condition, at) =>
        open.value === at ? (
          editor(at)
        ) : (
          <button
            key={JSON.stringify(condition)}
            class={isStored.has(JSON.stringify(condition)) ? 'opt' : 'opt late'}
            type="button"
            title={text.changeCondition}
            onClick={() => {
              open.value = at
            }}
          >
            <span>
              <ClauseWords asked={condition} />
            </span>
          </button>
        ),
      )}
      {open.value === conditions.length ? (
        editor(conditions.length)
      ) : conditions.length >= ruleConditionsMax ? null : (
        <button
          class="opt"
          type="button"
          aria-label={text.addConditionTo(props.name)}
          onClick={() => {
            open.value = conditions.length
          }}
        >
          <Icon name="plus" small />
        </button>
      )}
    </div>
  )
}
