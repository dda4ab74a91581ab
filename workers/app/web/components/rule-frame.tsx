/** What the forms of rules of each kind have in common. */
import { useSignal } from '@preact/signals'
import type { ComponentChildren } from 'preact'
import { TextField, Tick } from '#shared/pages/field.tsx'
import { filterRuleNameCharactersMax, rulePerDayMax } from '../../limits.ts'
import type { Answer } from '../api/call.ts'
import { words } from '../locales/words.ts'
import type { ConditionField, RuleFault, RuleHeadDraft } from '../model/condition-form.ts'
import { digitsOf } from '../model/typed-number.ts'
import type { Form } from '../use-form.ts'
import { ConditionLines } from './condition-lines.tsx'
import { Choice } from './field.tsx'
import { FormFrame } from './form-frame.tsx'

interface Typed {
  readonly value: string
  readonly onText: (text: string) => void
}

interface Judged {
  readonly faults: ReadonlySet<RuleFault>
  readonly wrong: Form<object>['wrong']
}

/** Not stored yet: what it would do. */
export function TryButton<V extends object>(props: {
  form: Form<V>
  isRight: boolean
  words: string
  tryIt: () => Promise<void>
}) {
  const { form } = props
  return (
    <button
      class="btn"
      type="button"
      disabled={form.busy !== undefined}
      onClick={() => void form.run('try', props.isRight, props.tryIt)}
    >
      {props.words}
    </button>
  )
}

interface StoredRule<B> {
  readonly add: (body: B) => Promise<Answer<unknown>>
  readonly change: (id: number, body: B) => Promise<Answer<unknown>>
}

/** A form of one rule: its name, what it does and when, what is its kind's own, and a try of all rules with it. */
export function RuleFrame<V extends RuleHeadDraft & { readonly action: string }, B, T>(props: {
  form: Form<V>
  faults: Judged['faults']
  stored: { readonly id: number } | undefined
  body: B
  kept: StoredRule<B>
  tryIt: () => Promise<Answer<T>>
  figures: (trial: Answer<T>) => ComponentChildren
  text: {
    readonly tryIt: string
    readonly actions: Readonly<Record<V['action'], string>>
    readonly actionHints: Readonly<Record<V['action'], string>>
  }
  fields: readonly ConditionField[]
  onSaved: () => void
  submitWords: string
  /** Where one gets without storing. */
  listHash: string
  children: ComponentChildren
}) {
  const { form, faults, stored, body, kept } = props
  const { wrong } = form
  const { actions, actionHints } = props.text
  const text = words.value.rules
  const isRight = faults.size === 0
  const trial = useSignal<Answer<T> | undefined>(undefined)
  const put = (change: Partial<RuleHeadDraft> | { readonly action: V['action'] }) => form.set(change as Partial<V>)
  return (
    <FormFrame
      form={form}
      isRight={isRight}
      send={() => (stored === undefined ? kept.add(body) : kept.change(stored.id, body))}
      onSaved={props.onSaved}
      submitWords={props.submitWords}
      beside={
        <a class="btn" href={props.listHash}>
          {words.value.common.cancel}
        </a>
      }
      beforeSubmit={
        <TryButton
          form={form}
          isRight={isRight}
          words={props.text.tryIt}
          tryIt={async () => {
            trial.value = await props.tryIt()
          }}
        />
      }
    >
      <TextField
        label={words.value.common.name}
        value={form.values.name}
        onText={(name) => put({ name })}
        maxLength={filterRuleNameCharactersMax}
        error={wrong(faults.has('name'), words.value.common.nameNeeded, 'name')}
      />
      <Choice
        legend={text.action}
        name="action"
        value={form.values.action}
        options={(Object.keys(actions) as V['action'][]).map((value) => ({
          value,
          label: actions[value],
          hint: actionHints[value],
        }))}
        onChoose={(action) => put({ action })}
      />
      <ConditionLines
        fields={props.fields}
        lines={form.values.conditions}
        onChange={(conditions) => put({ conditions })}
        wrong={(fault, said) => wrong(faults.has(fault), said)}
      />
      {props.children}
      <Tick checked={form.values.enabled} onChange={(enabled) => put({ enabled })}>
        {text.enabled}
      </Tick>
      {trial.value === undefined ? null : props.figures(trial.value)}
    </FormFrame>
  )
}

export function PerDayField({ typed, faults, wrong }: Judged & { typed: Typed }) {
  const text = words.value.rules
  return (
    <TextField
      label={text.perDay}
      number
      {...typed}
      maxLength={digitsOf(rulePerDayMax)}
      error={wrong(faults.has('perDay'), text.perDayWrong(rulePerDayMax))}
    />
  )
}
