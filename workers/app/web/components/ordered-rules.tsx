/** Rules in their order, with what moves, switches and removes them. */
import type { ComponentChildren } from 'preact'
import { useRef } from 'preact/hooks'
import { Icon } from '#shared/pages/icon.tsx'
import { words } from '../locales/words.ts'
import { grouped } from '../model/amounts.ts'
import type { AnyCondition, ConditionField } from '../model/condition-form.ts'
import { ClauseWords } from './clauses.tsx'
import { RowButtons } from './row-buttons.tsx'
import { RuleConditions } from './rule-conditions.tsx'

interface ShownRule {
  readonly id: number
  readonly name: string
  readonly enabled: boolean
  readonly rule: { readonly conditions: readonly AnyCondition[] }
}

export function OrderedRules<Rule extends ShownRule>(props: {
  items: readonly Rule[]
  /** Where the form of one is, up to its number. */
  formHash: string
  actionOf: (rule: Rule) => string
  /** Where what it takes goes. */
  placeOf?: (rule: Rule) => string | undefined
  countOf: (rule: Rule) => string
  /** What each asks is changed in its row. */
  editing?: {
    readonly fields: readonly ConditionField[]
    readonly conditionsOf: (rule: Rule) => readonly AnyCondition[]
    readonly onConditions: (rule: Rule, conditions: readonly AnyCondition[]) => void
  }
  /** What holds where none of them fits. */
  last?: ComponentChildren
  onOrder: (ids: readonly number[]) => void
  onSwitch: (rule: Rule) => void
  onRemove: (rule: Rule) => void
}) {
  const { items, editing } = props
  const text = words.value.rules

  /** The place of the rule that is dragged. */
  const dragged = useRef<number>(undefined)

  function move(at: number, to: number): void {
    const ids = items.map(({ id }) => id)
    const [moved] = ids.splice(at, 1)
    if (moved === undefined || at === to) return
    ids.splice(to, 0, moved)
    props.onOrder(ids)
  }

  return (
    <ol class="dls rules">
      {items.map((rule, at) => {
        const place = props.placeOf?.(rule)
        return (
          <li
            key={rule.id}
            class={rule.enabled ? 'dl' : 'dl off'}
            draggable
            onDragStart={() => {
              dragged.current = at
            }}
            onDragEnd={() => {
              dragged.current = undefined
            }}
            onDragOver={(event) => {
              if (dragged.current !== undefined) event.preventDefault()
            }}
            onDrop={(event) => {
              if (dragged.current === undefined) return
              event.preventDefault()
              move(dragged.current, at)
            }}
          >
            <div class="dl-h">
              <span class="num faint">{grouped(at + 1)}</span>
              <a href={`${props.formHash}${rule.id}`}>
                <b>{rule.name}</b>
              </a>
              <span class="tag">{props.actionOf(rule)}</span>
              {rule.enabled ? null : <span class="tag guess">{text.off}</span>}
              {place === undefined ? null : <span class="muted small">→ {place}</span>}
              <span class="faint small">{props.countOf(rule)}</span>
            </div>
            {editing === undefined ? (
              <div class="dl-b">
                {rule.rule.conditions.map((condition) => (
                  <span key={JSON.stringify(condition)} class="tag">
                    <ClauseWords asked={condition} />
                  </span>
                ))}
              </div>
            ) : (
              <RuleConditions
                name={rule.name}
                conditions={editing.conditionsOf(rule)}
                stored={rule.rule.conditions}
                fields={editing.fields}
                onChange={(conditions) => editing.onConditions(rule, conditions)}
              />
            )}
            <RowButtons
              name={rule.name}
              text={text}
              onSwitch={{ isOn: rule.enabled, act: () => props.onSwitch(rule) }}
              onRemove={() => props.onRemove(rule)}
            >
              {([-1, 1] as const).map((by) => (
                <button
                  key={by}
                  class="btn quiet icon"
                  type="button"
                  disabled={by === -1 ? at === 0 : at === items.length - 1}
                  aria-label={by === -1 ? text.earlier(rule.name) : text.later(rule.name)}
                  onClick={() => move(at, at + by)}
                >
                  <Icon name={by === -1 ? 'up' : 'down'} />
                </button>
              ))}
            </RowButtons>
          </li>
        )
      })}
      {props.last === undefined ? null : <li class="dl">{props.last}</li>}
    </ol>
  )
}
