/** Adding and changing a brush task. */
import { useSignal } from '@preact/signals'
import type { ComponentChildren } from 'preact'
import type { WireConsoleDownloader } from '../../contract/console.ts'
import type { WireConsoleBrushTask } from '../../contract/console-brush.ts'
import type { WireConsoleSite } from '../../contract/console-sites.ts'
import { brushTaskNameCharactersMax } from '../../limits.ts'
import { type ApiFailure, addBrushTask, changeBrushTask } from '../api-client.ts'
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
import { TextField, Tick } from './field.tsx'
import { FailureNote } from './note.tsx'

const numberCharactersMax = 13
const wordListCharactersMax = 4000
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
  onSaved: () => void
}) {
  const { stored, sites } = props
  const text = words.value.brush
  const draft = useSignal<BrushDraft>(stored === undefined ? newDraft(sites[0]?.name ?? '') : draftOf(stored))
  const tried = useSignal(false)
  const busy = useSignal(false)
  const failure = useSignal<ApiFailure | undefined>(undefined)
  const { value } = draft
  const read = readDraft(value)
  const wrong = tried.value && 'wrong' in read ? read.wrong : []
  const set = (change: Partial<BrushDraft>) => {
    draft.value = { ...draft.value, ...change }
  }

  async function save(event: Event): Promise<void> {
    event.preventDefault()
    tried.value = true
    if ('wrong' in read || busy.value) return
    busy.value = true
    failure.value = undefined
    const answer = stored === undefined ? await addBrushTask(read.body) : await changeBrushTask(stored.id, read.body)
    busy.value = false
    if (answer.ok) props.onSaved()
    else failure.value = answer.failure
  }

  const errorOf = (field: BrushField) => (wrong.includes(field) ? text.wrong[field] : undefined)
  const number = (field: NumberField) => (
    <TextField
      key={field}
      number
      label={text.fields[field]}
      value={value.numbers[field]}
      maxLength={numberCharactersMax}
      onText={(written) => set({ numbers: { ...draft.value.numbers, [field]: written } })}
      error={errorOf(field)}
    />
  )
  return (
    <form class="su-form" autocomplete="off" onSubmit={(event) => void save(event)}>
      <div class="two-f">
        <TextField
          label={text.name}
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
          <Tick checked={value.freeOnly} onChange={(freeOnly) => set({ freeOnly })}>
            {text.freeOnly}
          </Tick>
          <Tick checked={value.refuseHr} onChange={(refuseHr) => set({ refuseHr })}>
            {text.refuseHr}
          </Tick>
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
        <Tick checked={value.freeOver} onChange={(freeOver) => set({ freeOver })}>
          {text.freeOver}
        </Tick>
        <div class="three-f">{namesOf(removalNumbers).map(number)}</div>
      </fieldset>
      <Tick checked={value.enabled} onChange={(enabled) => set({ enabled })}>
        {text.enabled}
      </Tick>
      {failure.value === undefined ? null : <FailureNote failure={failure.value} />}
      <div class="su-act">
        <span class="faint small">{text.emptyMeans}</span>
        <button class="btn primary" type="submit" disabled={busy.value}>
          {stored === undefined ? text.saveAdd : words.value.common.save}
        </button>
      </div>
    </form>
  )
}
