/** Adding and changing a filter rule, and trying it on what turned up. */
import { useSignal } from '@preact/signals'
import { Icon } from '#shared/pages/icon.tsx'
import type { WireConsoleDownloader } from '../../contract/console.ts'
import type { RuleTrial, WireStoredRule } from '../../contract/console-rules.ts'
import {
  filterRuleNameCharactersMax,
  pushCategoryCharactersMax,
  pushTagsCharactersMax,
  ruleConditionsMax,
  rulePerDayMax,
  ruleWordCharactersMax,
  ruleWordsMax,
  savePathBytesMax,
} from '../../limits.ts'
import { addRule, changeRule, tryRules } from '../api/automation.ts'
import type { Answer } from '../api/call.ts'
import { words } from '../locales/words.ts'
import {
  type ConditionDraft,
  type ConditionField,
  conditionFields,
  isFlag,
  newCondition,
  type Operator,
  operatorsOf,
  readRule,
  ruleDraftOf,
} from '../model/rule-form.ts'
import { useForm } from '../use-form.ts'
import { Choice, SelectField, TextField, Tick } from './field.tsx'
import { FormFrame } from './form-frame.tsx'
import { RuleTrialFigures } from './rule-trial.tsx'

const perDayCharactersMax = 5
const valueCharactersMax = ruleWordsMax * (ruleWordCharactersMax + 2)

function ConditionLine(props: {
  line: ConditionDraft
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
        options={conditionFields.map((one) => ({ value: one, label: text.fields[one] }))}
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

export function RuleForm(props: {
  stored: WireStoredRule | undefined
  /** All of them in their order. */
  rules: readonly WireStoredRule[]
  downloaders: readonly WireConsoleDownloader[]
  submitWords: string
  onSaved: () => void
}) {
  const { stored } = props
  const text = words.value.rules
  const form = useForm(ruleDraftOf(stored))
  const trial = useSignal<Answer<RuleTrial> | undefined>(undefined)
  const draft = form.values
  const { body, faults } = readRule(draft)
  const isRight = faults.size === 0
  const setLines = (conditions: readonly ConditionDraft[]) => form.set({ conditions })

  async function tryIt(): Promise<void> {
    const mine = { id: stored?.id ?? 0, rule: body.rule }
    const all = props.rules.flatMap(({ id, enabled, rule }) =>
      id === stored?.id ? (body.enabled ? [mine] : []) : enabled ? [{ id, rule }] : [],
    )
    trial.value = await tryRules(stored === undefined && body.enabled ? [...all, mine] : all)
  }

  return (
    <FormFrame
      form={form}
      isRight={isRight}
      send={() => (stored === undefined ? addRule(body) : changeRule(stored.id, body))}
      onSaved={props.onSaved}
      submitWords={props.submitWords}
      beside={
        <a class="btn" href="#/feeds">
          {words.value.common.cancel}
        </a>
      }
      beforeSubmit={
        <button
          class="btn"
          type="button"
          disabled={form.busy !== undefined}
          onClick={() => void form.run('try', isRight, tryIt)}
        >
          {text.tryIt}
        </button>
      }
    >
      <TextField
        label={text.name}
        {...form.typed('name')}
        maxLength={filterRuleNameCharactersMax}
        error={form.wrong(faults.has('name'), text.nameNeeded, 'name')}
      />
      <Choice
        legend={text.action}
        name="action"
        value={draft.action}
        options={(Object.keys(text.actions) as (keyof typeof text.actions)[]).map((value) => ({
          value,
          label: text.actions[value],
          hint: text.actionHints[value],
        }))}
        onChoose={(action) => form.set({ action })}
      />
      <fieldset>
        <legend class="label">{text.conditions}</legend>
        <ul class="conditions">
          {draft.conditions.map((line, at) => (
            <ConditionLine
              key={line.key}
              line={line}
              at={at}
              error={form.wrong(faults.has(`condition ${line.key}`), text.conditionWrong)}
              onChange={(next) => setLines(draft.conditions.map((one) => (one.key === line.key ? next : one)))}
              onRemove={() => setLines(draft.conditions.filter((one) => one.key !== line.key))}
            />
          ))}
        </ul>
        {form.wrong(faults.has('conditions'), text.conditionsNeeded(ruleConditionsMax)) === undefined ? null : (
          <p class="hint bad" role="alert">
            {text.conditionsNeeded(ruleConditionsMax)}
          </p>
        )}
        <p class="hint">{text.valueHint}</p>
        <button
          class="btn"
          type="button"
          disabled={draft.conditions.length >= ruleConditionsMax}
          onClick={() =>
            setLines([...draft.conditions, newCondition(Math.max(-1, ...draft.conditions.map(({ key }) => key)) + 1)])
          }
        >
          <Icon name="plus" />
          {text.addCondition}
        </button>
      </fieldset>
      {draft.action === 'take' ? (
        <fieldset>
          <legend class="label">{text.target}</legend>
          <div class="two-f">
            <SelectField
              label={text.downloader}
              value={String(draft.downloaderId)}
              options={[
                { value: '0', label: text.defaultDownloader },
                ...props.downloaders.map((one) => ({ value: String(one.id), label: one.name })),
              ]}
              onChoose={(id) => form.set({ downloaderId: Number(id) })}
            />
            <TextField label={text.category} {...form.typed('category')} maxLength={pushCategoryCharactersMax} />
            <TextField label={text.tags} {...form.typed('tags')} maxLength={pushTagsCharactersMax} />
            <TextField label={text.savePath} code {...form.typed('savePath')} maxLength={savePathBytesMax} />
            <TextField
              label={text.perDay}
              number
              {...form.typed('perDay')}
              maxLength={perDayCharactersMax}
              error={form.wrong(faults.has('perDay'), text.perDayWrong(rulePerDayMax))}
            />
          </div>
          <Tick {...form.ticked('paused')}>{text.paused}</Tick>
        </fieldset>
      ) : null}
      <Tick {...form.ticked('enabled')}>{text.enabled}</Tick>
      {trial.value === undefined ? null : <RuleTrialFigures trial={trial.value} />}
    </FormFrame>
  )
}
