/** What the forms of rules of each kind have in common. */
import type { ComponentChildren } from 'preact'
import { filterRuleNameCharactersMax, rulePerDayMax } from '../../limits.ts'
import type { Answer } from '../api/call.ts'
import { words } from '../locales/words.ts'
import type { ConditionDraft, ConditionField, RuleFault } from '../model/condition-form.ts'
import type { Form } from '../use-form.ts'
import { ConditionLines } from './condition-lines.tsx'
import { Choice, TextField } from './field.tsx'
import { FormFrame } from './form-frame.tsx'

const perDayCharactersMax = 5

export function RuleFrame<V extends object, R>(props: {
  form: Form<V>
  isRight: boolean
  send: () => Promise<Answer<R>>
  onSaved: () => void
  submitWords: string
  /** Where one gets without storing. */
  listHash: string
  tryWords: string
  tryIt: () => Promise<void>
  children: ComponentChildren
}) {
  const { form, isRight } = props
  return (
    <FormFrame
      form={form}
      isRight={isRight}
      send={props.send}
      onSaved={props.onSaved}
      submitWords={props.submitWords}
      beside={
        <a class="btn" href={props.listHash}>
          {words.value.common.cancel}
        </a>
      }
      beforeSubmit={
        <button
          class="btn"
          type="button"
          disabled={form.busy !== undefined}
          onClick={() => void form.run('try', isRight, props.tryIt)}
        >
          {props.tryWords}
        </button>
      }
    >
      {props.children}
    </FormFrame>
  )
}

interface Typed {
  readonly value: string
  readonly onText: (text: string) => void
}

interface Judged {
  readonly faults: ReadonlySet<RuleFault>
  readonly wrong: Form<object>['wrong']
}

/** Its name, what it does, and when. */
export function RuleHead<A extends string>(
  props: Judged & {
    name: Typed
    action: A
    actions: Readonly<Record<A, string>>
    hints: Readonly<Record<A, string>>
    onAction: (action: A) => void
    fields: readonly ConditionField[]
    lines: readonly ConditionDraft[]
    onLines: (lines: readonly ConditionDraft[]) => void
  },
) {
  const { faults, wrong, actions, hints } = props
  const text = words.value.rules
  return (
    <>
      <TextField
        label={text.name}
        {...props.name}
        maxLength={filterRuleNameCharactersMax}
        error={wrong(faults.has('name'), text.nameNeeded, 'name')}
      />
      <Choice
        legend={text.action}
        name="action"
        value={props.action}
        options={(Object.keys(actions) as A[]).map((value) => ({ value, label: actions[value], hint: hints[value] }))}
        onChoose={props.onAction}
      />
      <ConditionLines
        fields={props.fields}
        lines={props.lines}
        onChange={props.onLines}
        wrong={(fault, said) => wrong(faults.has(fault), said)}
      />
    </>
  )
}

export function PerDayField({ typed, faults, wrong }: Judged & { typed: Typed }) {
  const text = words.value.rules
  return (
    <TextField
      label={text.perDay}
      number
      {...typed}
      maxLength={perDayCharactersMax}
      error={wrong(faults.has('perDay'), text.perDayWrong(rulePerDayMax))}
    />
  )
}
