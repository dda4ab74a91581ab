/** Adding and changing a rule about the ends of torrents, and trying it on what the downloaders hold. */
import type { WireEndTrial, WireStoredEndRule } from '../../contract/console-ends.ts'
import { addEndRule, changeEndRule, tryEndRules } from '../api/automation.ts'
import type { Answer } from '../api/call.ts'
import { words } from '../locales/words.ts'
import { bytesAmount, grouped, joined } from '../model/amounts.ts'
import { endFields, endRuleDraftOf, readEndRule } from '../model/end-rule-form.ts'
import { useForm } from '../use-form.ts'
import { EndDecision } from './end-items.tsx'
import { FailureNote } from './note.tsx'
import { ReasonWords } from './reason.tsx'
import { PerDayField, RuleFrame } from './rule-frame.tsx'

export function EndRuleForm(props: {
  stored: WireStoredEndRule | undefined
  /** All of them in their order. */
  rules: readonly WireStoredEndRule[]
  submitWords: string
  onSaved: () => void
}) {
  const { stored } = props
  const text = words.value.ends
  const form = useForm(endRuleDraftOf(stored))
  const { body, faults } = readEndRule(form.values)

  function tryIt() {
    const all = props.rules.map((one) =>
      one.id === stored?.id ? body : { name: one.name, enabled: one.enabled, rule: one.rule },
    )
    return tryEndRules(stored === undefined ? [...all, body] : all)
  }

  return (
    <RuleFrame
      form={form}
      faults={faults}
      stored={stored}
      body={body}
      kept={{ add: addEndRule, change: changeEndRule }}
      tryIt={tryIt}
      figures={(trial) => <Trial trial={trial} />}
      text={text}
      fields={endFields}
      onSaved={props.onSaved}
      submitWords={props.submitWords}
      listHash="#/ends"
    >
      <p class="hint">{text.dutyHint}</p>
      <PerDayField typed={form.typed('perDay')} faults={faults} wrong={form.wrong} />
    </RuleFrame>
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
