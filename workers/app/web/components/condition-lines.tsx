/** The conditions of a rule, each a line of the form. */

import { SelectField, TextField, Tick } from '#shared/pages/field.tsx'
import { Icon } from '#shared/pages/icon.tsx'
import { ruleConditionsMax, ruleWordCharactersMax, ruleWordsMax } from '../../limits.ts'
import { words } from '../locales/words.ts'
import {
  type ConditionDraft,
  type ConditionField,
  isFlag,
  newCondition,
  type Operator,
  operatorsOf,
  type RuleFault,
} from '../model/condition-form.ts'

const valueCharactersMax = ruleWordsMax * (ruleWordCharactersMax + 2)

export function ConditionLine(props: {
  line: ConditionDraft
  fields: readonly ConditionField[]
  at: number
  error: string | undefined
  onChange: (line: ConditionDraft) => void
  onRemove: () => void
}) {
  const { line } = props
  const text = words.value.rules
  const change = (part: Partial<ConditionDraft>) => props.onChange({ ...line, ...part })
  return (
    <li class="condition">
      <SelectField
        label={text.field}
        value={line.field}
        options={props.fields.map((one) => ({ value: one, label: text.fields[one] }))}
        onChoose={(field) => props.onChange(newCondition(line.key, field as ConditionField))}
      />
      <SelectField
        label={text.operator}
        value={line.op}
        options={operatorsOf(line.field).map((one) => ({ value: one, label: text.operators[one] }))}
        onChoose={(op) => change({ op: op as Operator })}
      />
      {isFlag(line.field) ? (
        <SelectField
          label={text.value}
          value={line.value}
          options={[
            { value: 'yes', label: words.value.feeds.yes },
            { value: 'no', label: words.value.feeds.no },
          ]}
          onChoose={(value) => change({ value })}
        />
      ) : (
        <TextField
          label={text.value}
          value={line.value}
          maxLength={valueCharactersMax}
          onText={(value) => change({ value })}
          error={props.error}
        />
      )}
      {line.field === 'title' ? null : (
        <Tick checked={line.orUnknown} onChange={(orUnknown) => change({ orUnknown })}>
          {text.orUnknown}
        </Tick>
      )}
      <button
        class="btn quiet icon"
        type="button"
        aria-label={text.removeCondition(props.at + 1)}
        onClick={props.onRemove}
      >
        <Icon name="trash" />
      </button>
    </li>
  )
}

export function ConditionLines(props: {
  fields: readonly ConditionField[]
  lines: readonly ConditionDraft[]
  onChange: (lines: readonly ConditionDraft[]) => void
  /** What is wrong with a box, once sending was tried. */
  wrong: (fault: RuleFault, said: string) => string | undefined
}) {
  const { lines, wrong } = props
  const text = words.value.rules
  return (
    <fieldset>
      <legend class="label">{text.conditions}</legend>
      <ul class="conditions">
        {lines.map((line, at) => (
          <ConditionLine
            key={line.key}
            line={line}
            fields={props.fields}
            at={at}
            error={wrong(`condition ${line.key}`, text.conditionWrong)}
            onChange={(next) => props.onChange(lines.map((one) => (one.key === line.key ? next : one)))}
            onRemove={() => props.onChange(lines.filter((one) => one.key !== line.key))}
          />
        ))}
      </ul>
      {wrong('conditions', text.conditionsNeeded(ruleConditionsMax)) === undefined ? null : (
        <p class="hint bad" role="alert">
          {text.conditionsNeeded(ruleConditionsMax)}
        </p>
      )}
      <p class="hint">{text.valueHint}</p>
      <button
        class="btn"
        type="button"
        disabled={lines.length >= ruleConditionsMax}
        onClick={() =>
          props.onChange([...lines, newCondition(Math.max(-1, ...lines.map(({ key }) => key)) + 1, props.fields[0])])
        }
      >
        <Icon name="plus" />
        {text.addCondition}
      </button>
    </fieldset>
  )
}
