/** All rules as one text: to copy, to keep elsewhere, and to bring back. Checked and tried before it takes their place. */
import { useSignal } from '@preact/signals'
import { TextArea } from '#shared/pages/field.tsx'
import type { WireRulesText } from '../../contract/console-rules.ts'
import { rulesTextBytesMax } from '../../limits.ts'
import { putRulesText } from '../api/automation.ts'
import type { Answer } from '../api/call.ts'
import { words } from '../locales/words.ts'
import { useForm } from '../use-form.ts'
import { FormFrame } from './form-frame.tsx'
import { ReasonWords } from './reason.tsx'
import { TryButton } from './rule-frame.tsx'
import { RuleTrialFigures } from './rule-trial.tsx'

const rows = 18

export function RulesText(props: {
  readonly text: string
  readonly onSaved: () => void
  readonly onLeave: () => void
}) {
  const text = words.value.rules
  const form = useForm({ yaml: props.text })
  const answer = useSignal<WireRulesText | undefined>(undefined)

  async function put(keep: boolean): Promise<Answer<WireRulesText>> {
    const put = await putRulesText(form.values.yaml, keep)
    answer.value = put.ok ? put.value : undefined
    return put
  }

  return (
    <FormFrame
      form={form}
      isRight
      send={() => put(true)}
      onSaved={() => {
        if (answer.value?.kept === true) props.onSaved()
      }}
      submitWords={text.replaceAll}
      beside={
        <button class="btn" type="button" onClick={props.onLeave}>
          {words.value.common.cancel}
        </button>
      }
      beforeSubmit={<TryButton form={form} isRight words={text.tryIt} tryIt={async () => void (await put(false))} />}
    >
      <TextArea
        label={text.asText}
        {...form.typed('yaml')}
        maxLength={rulesTextBytesMax}
        rows={rows}
        hint={text.asTextHint}
      />
      {answer.value === undefined ? null : (
        <ul class="small" role="alert">
          {answer.value.faults.map((fault) => (
            <li key={JSON.stringify(fault)} class="bad">
              {fault.reason === undefined ? fault.error : <ReasonWords reason={fault.reason} />}
            </li>
          ))}
        </ul>
      )}
      {answer.value?.trial === undefined ? null : (
        <RuleTrialFigures trial={{ ok: true, value: answer.value.trial }} byRule />
      )}
    </FormFrame>
  )
}
