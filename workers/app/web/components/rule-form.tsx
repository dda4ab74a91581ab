/** Adding and changing a filter rule, and trying it on what turned up. */

import { SelectField, TextField, Tick } from '#shared/pages/field.tsx'
import type { WireConsoleDownloader } from '../../contract/console.ts'
import type { WireRuleStart, WireStoredRule } from '../../contract/console-rules.ts'
import { pushCategoryCharactersMax, pushTagsCharactersMax, ruleNumberMax, savePathBytesMax } from '../../limits.ts'
import { addRule, changeRule, tryRules } from '../api/automation.ts'
import { words } from '../locales/words.ts'
import { filterFields, readRule, ruleDraftOf } from '../model/rule-form.ts'
import { digitsOf } from '../model/typed-number.ts'
import { useForm } from '../use-form.ts'
import { useKnownPlaces } from '../use-known-places.ts'
import { PerDayField, RuleFrame } from './rule-frame.tsx'
import { RuleTrialFigures } from './rule-trial.tsx'

/** With two places after the point. */
const numberCharactersMax = digitsOf(ruleNumberMax) + 3

export function RuleForm(props: {
  stored: WireStoredRule | undefined
  /** All of them in their order. */
  rules: readonly WireStoredRule[]
  downloaders: readonly WireConsoleDownloader[]
  /** Where a new one begins. */
  start?: WireRuleStart
  submitWords: string
  onSaved: () => void
}) {
  const { stored } = props
  const text = words.value.rules
  const form = useForm(ruleDraftOf(stored, props.start))
  const draft = form.values
  const { body, faults } = readRule(draft)
  const choicesOf = useKnownPlaces(draft.downloaderId === 0 ? undefined : draft.downloaderId)

  function tryIt() {
    const mine = { id: stored?.id ?? 0, name: body.name, rule: body.rule }
    const all = props.rules.flatMap(({ id, name, enabled, rule }) =>
      id === stored?.id ? (body.enabled ? [mine] : []) : enabled ? [{ id, name, rule }] : [],
    )
    return tryRules(stored === undefined && body.enabled ? [...all, mine] : all)
  }

  return (
    <RuleFrame
      form={form}
      faults={faults}
      stored={stored}
      body={body}
      kept={{ add: addRule, change: changeRule }}
      tryIt={tryIt}
      figures={(trial) => <RuleTrialFigures trial={trial} byRule />}
      text={text}
      fields={filterFields}
      onSaved={props.onSaved}
      submitWords={props.submitWords}
      listHash="#/feeds"
    >
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
            <TextField
              label={text.category}
              {...form.typed('category')}
              maxLength={pushCategoryCharactersMax}
              choices={choicesOf('categories')}
            />
            <TextField
              label={text.tags}
              {...form.typed('tags')}
              maxLength={pushTagsCharactersMax}
              choices={choicesOf('tags')}
            />
            <TextField
              label={text.savePath}
              code
              {...form.typed('savePath')}
              maxLength={savePathBytesMax}
              choices={choicesOf('folders')}
            />
            <PerDayField typed={form.typed('perDay')} faults={faults} wrong={form.wrong} />
            <TextField
              label={text.perDayGib}
              number
              {...form.typed('perDayGib')}
              maxLength={numberCharactersMax}
              error={form.wrong(faults.has('perDayGib'), text.perDayGibWrong)}
            />
          </div>
          <Tick {...form.ticked('paused')}>{text.paused}</Tick>
        </fieldset>
      ) : null}
    </RuleFrame>
  )
}
