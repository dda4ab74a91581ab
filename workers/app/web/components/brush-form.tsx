/** Adding and changing a brush task. */
import { useSignal } from '@preact/signals'
import type { ComponentChildren } from 'preact'
import { TextField, Tick } from '#shared/pages/field.tsx'
import type { WireConsoleDownloader } from '../../contract/console.ts'
import type { WireConsoleBrushTask } from '../../contract/console-brush.ts'
import type { RuleTrial } from '../../contract/console-rules.ts'
import type { WireConsoleSite } from '../../contract/console-sites.ts'
import { brushTaskNameCharactersMax, brushWordCharactersMax, brushWordsMax } from '../../limits.ts'
import { addBrushTask, changeBrushTask, tryBrushPick } from '../api/automation.ts'
import type { Answer } from '../api/call.ts'
import { words } from '../locales/words.ts'
import {
  type BrushDraft,
  type BrushField,
  boundNumbers,
  draftOf,
  type NumberField,
  newDraft,
  pickNumbers,
  readDraft,
  removalNumbers,
} from '../model/brush-form.ts'
import { siteLabel } from '../model/site-board.ts'
import { useForm } from '../use-form.ts'
import { FormFrame } from './form-frame.tsx'
import { RuleTrialFigures } from './rule-trial.tsx'

const numberCharactersMax = 13
const wordListCharactersMax = brushWordsMax * (brushWordCharactersMax + 1)
const namesOf = (fields: object) => Object.keys(fields) as NumberField[]

function Select(props: {
  label: string
  value: string
  onChoose: (value: string) => void
  children: ComponentChildren
}) {
  return (
    <label class="field">
      <span class="label">{props.label}</span>
      <select class="input" value={props.value} onChange={(event) => props.onChoose(event.currentTarget.value)}>
        {props.children}
      </select>
    </label>
  )
}

export function BrushForm(props: {
  stored: WireConsoleBrushTask | undefined
  sites: readonly WireConsoleSite[]
  downloaders: readonly WireConsoleDownloader[]
  submitWords: string
  onSaved: () => void
}) {
  const { stored, sites } = props
  const text = words.value.brush
  const form = useForm<BrushDraft>(stored === undefined ? newDraft(sites[0]?.name ?? '') : draftOf(stored))
  const { values: value, set } = form
  const read = readDraft(value)
  const wrong = 'wrong' in read ? read.wrong : []
  const errorOf = (field: BrushField) => form.wrong(wrong.includes(field), text.wrong[field], field)
  const trial = useSignal<Answer<RuleTrial> | undefined>(undefined)
  async function tryIt(): Promise<void> {
    if ('wrong' in read) return
    const { site, rules } = read.body
    trial.value = await tryBrushPick({ site, pick: rules.pick, ...(stored === undefined ? {} : { id: stored.id }) })
  }
  const number = (field: NumberField) => (
    <TextField
      key={field}
      number
      label={text.fields[field]}
      value={value.numbers[field]}
      maxLength={numberCharactersMax}
      onText={(written) => set({ numbers: { ...value.numbers, [field]: written } })}
      error={errorOf(field)}
    />
  )
  return (
    <FormFrame
      form={form}
      isRight={'body' in read}
      send={() => {
        if ('wrong' in read) throw new Error('a form that is not right is not sent')
        return stored === undefined ? addBrushTask(read.body) : changeBrushTask(stored.id, read.body)
      }}
      onSaved={props.onSaved}
      submitWords={props.submitWords}
      beside={<span class="faint small">{text.emptyMeans}</span>}
      beforeSubmit={
        <button
          class="btn"
          type="button"
          disabled={form.busy !== undefined}
          onClick={() => void form.run('try', 'body' in read, tryIt)}
        >
          {words.value.rules.tryIt}
        </button>
      }
    >
      <div class="two-f">
        <TextField
          label={words.value.common.name}
          value={value.name}
          maxLength={brushTaskNameCharactersMax}
          onText={(name) => set({ name })}
          hint={text.nameHint}
          error={errorOf('name')}
        />
        {number('every_minutes')}
        <Select label={text.site} value={value.site} onChoose={(site) => set({ site })}>
          {sites.some(({ name }) => name === value.site) ? null : <option value={value.site}>{value.site}</option>}
          {sites.map((site) => (
            <option key={site.id} value={site.name}>
              {siteLabel(site)}
            </option>
          ))}
        </Select>
        <Select
          label={text.downloader}
          value={String(value.downloaderId)}
          onChoose={(id) => set({ downloaderId: Number(id) })}
        >
          <option value="0">{text.defaultDownloader}</option>
          {props.downloaders.map((one) => (
            <option key={one.id} value={String(one.id)}>
              {one.name}
            </option>
          ))}
        </Select>
      </div>
      <fieldset>
        <legend class="label">{text.pick}</legend>
        <div class="ticks">
          <Tick {...form.ticked('freeOnly')}>{text.freeOnly}</Tick>
          <Tick {...form.ticked('openEnds')}>{text.openEnds}</Tick>
          <Tick {...form.ticked('refuseHr')}>{text.refuseHr}</Tick>
        </div>
        <div class="three-f">{namesOf(pickNumbers).map(number)}</div>
        <TextField
          label={text.words}
          value={value.words}
          maxLength={wordListCharactersMax}
          onText={(written) => set({ words: written })}
          hint={text.wordsHint}
          error={errorOf('refused_words')}
        />
      </fieldset>
      <fieldset>
        <legend class="label">{text.bounds}</legend>
        <div class="two-f pad">{namesOf(boundNumbers).map(number)}</div>
      </fieldset>
      <fieldset>
        <legend class="label">{text.removal}</legend>
        <Tick {...form.ticked('freeOver')}>{text.freeOver}</Tick>
        <div class="three-f">{namesOf(removalNumbers).map(number)}</div>
      </fieldset>
      <Tick {...form.ticked('enabled')}>{text.enabled}</Tick>
      {trial.value === undefined ? null : <RuleTrialFigures trial={trial.value} />}
    </FormFrame>
  )
}
