/** Adding and changing a rule about the ends of torrents, and trying it on what the downloaders hold. */
import { useSignal } from '@preact/signals'
import type { WireEndTrial, WireStoredEndRule } from '../../contract/console-ends.ts'
import { filterRuleNameCharactersMax, rulePerDayMax } from '../../limits.ts'
import { addEndRule, changeEndRule, tryEndRules } from '../api/automation.ts'
import type { Answer } from '../api/call.ts'
import { words } from '../locales/words.ts'
import { bytesAmount, grouped, joined } from '../model/amounts.ts'
import { endFields, endRuleDraftOf, readEndRule } from '../model/end-rule-form.ts'
import { useForm } from '../use-form.ts'
import { ConditionLines } from './condition-lines.tsx'
import { EndDecision } from './end-items.tsx'
import { Choice, TextField, Tick } from './field.tsx'
import { FormFrame } from './form-frame.tsx'
import { FailureNote } from './note.tsx'
import { ReasonWords } from './reason.tsx'

const perDayCharactersMax = 5

export function EndRuleForm(props: {
  stored: WireStoredEndRule | undefined
  /** All of them in their order. */
  rules: readonly WireStoredEndRule[]
  submitWords: string
  onSaved: () => void
}) {
  const { stored } = props
  const text = words.value.ends
  const shared = words.value.rules
  const form = useForm(endRuleDraftOf(stored))
  const trial = useSignal<Answer<WireEndTrial> | undefined>(undefined)
  const draft = form.values
  const { body, faults } = readEndRule(draft)
  const isRight = faults.size === 0

  async function tryIt(): Promise<void> {
    const all = props.rules.map((one) =>
      one.id === stored?.id ? body : { name: one.name, enabled: one.enabled, rule: one.rule },
    )
    trial.value = await tryEndRules(stored === undefined ? [...all, body] : all)
  }

  return (
    <FormFrame
      form={form}
      isRight={isRight}
      send={() => (stored === undefined ? addEndRule(body) : changeEndRule(stored.id, body))}
      onSaved={props.onSaved}
      submitWords={props.submitWords}
      beside={
        <a class="btn" href="#/ends">
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
        label={shared.name}
        {...form.typed('name')}
        maxLength={filterRuleNameCharactersMax}
        error={form.wrong(faults.has('name'), shared.nameNeeded, 'name')}
      />
      <Choice
        legend={shared.action}
        name="action"
        value={draft.action}
        options={(Object.keys(text.actions) as (keyof typeof text.actions)[]).map((value) => ({
          value,
          label: text.actions[value],
          hint: text.actionHints[value],
        }))}
        onChoose={(action) => form.set({ action })}
      />
      <ConditionLines
        fields={endFields}
        lines={draft.conditions}
        onChange={(conditions) => form.set({ conditions })}
        wrong={(fault, said) => form.wrong(faults.has(fault), said)}
      />
      <p class="hint">{text.dutyHint}</p>
      <TextField
        label={shared.perDay}
        number
        {...form.typed('perDay')}
        maxLength={perDayCharactersMax}
        error={form.wrong(faults.has('perDay'), shared.perDayWrong(rulePerDayMax))}
      />
      <Tick {...form.ticked('enabled')}>{shared.enabled}</Tick>
      {trial.value === undefined ? null : <Trial trial={trial.value} />}
    </FormFrame>
  )
}

function Trial({ trial }: { trial: Answer<WireEndTrial> }) {
  const text = words.value.ends
  if (!trial.ok) return <FailureNote failure={trial.failure} />
  const { judged, ended, freed, items, unread } = trial.value
  return (
    <section class="sec" role="status">
      <h3>{text.tried(grouped(judged))}</h3>
      <p class="small">{text.wouldEnd(grouped(ended), joined(bytesAmount(freed)))}</p>
      {unread.map((one) => (
        <p key={one.downloader} class="small bad">
          {one.downloader}: <ReasonWords reason={one.reason} plain />
        </p>
      ))}
      <ul class="dls">
        {items.map((item) => (
          <EndDecision key={`${item.downloader} ${item.info_hash}`} item={item} />
        ))}
      </ul>
    </section>
  )
}
