import { SelectField, TextArea, TextField } from '#shared/pages/field.tsx'
import { Icon } from '#shared/pages/icon.tsx'
import { routes } from '../api/routes.ts'
import { homeWords } from '../locales/words.ts'
import { sessionHref } from '../model/address.ts'
import { nameOf } from '../model/transcript.ts'
import { language } from '../preferences.ts'
import { useActions, useForm } from '../state/kit.ts'
import { folders, here } from '../state/sessions.ts'
import { useRead } from '../state/use-read.ts'
import { folderOptions } from './folder-choice.tsx'
import { FormFrame } from './form-frame.tsx'
import { Section } from './section.tsx'
import { FailureNote, InWords } from './states.tsx'

const hour = 60
/** As much as the server takes of a prompt. */
const textCharactersMax = 1024 * 1024
/** Of a field for a moment. */
const momentCharactersMax = 32
const repeats = [hour, 24 * hour, 7 * 24 * hour] as const

function timeText(ms: number): string {
  return new Date(ms).toLocaleString(language.value === 'zh' ? 'zh-CN' : 'en-GB', {
    dateStyle: 'medium',
    timeStyle: 'short',
  })
}

export function ScheduleSection() {
  const say = homeWords.value.schedule
  const { value } = useRead(routes.schedules, [], ({ type }) => type === 'schedule.changed')
  const schedules = value.value?.data ?? []
  const { failure, act } = useActions()
  return (
    <Section title={say.title} count={schedules.length || undefined}>
      <FailureNote failure={failure.value} />
      {schedules.length === 0 ? null : (
        <ul class="rows">
          {schedules.map((schedule) => (
            <li key={schedule.id}>
              <div class="grow">
                <span class="t cut" dir="auto">
                  {schedule.text}
                </span>
                <span class="s">
                  {nameOf(schedule.directory)} · {schedule.next === undefined ? say.over : timeText(schedule.next)}
                  {schedule.everyMinutes === undefined ? '' : ` · ${say.every(schedule.everyMinutes)}`}
                </span>
                {schedule.missed === 0 ? null : <p class="small warn">{say.missed(schedule.missed)}</p>}
                {schedule.last === undefined ? null : schedule.last.sessionID === undefined ? (
                  <p class="small warn">
                    {say.failed} <InWords said={say.why(schedule.last.code)} message={schedule.last.problem ?? ''} />
                  </p>
                ) : (
                  <a class="link small" href={sessionHref(schedule.last.sessionID)}>
                    {say.last(timeText(schedule.last.time))}
                  </a>
                )}
              </div>
              <button
                class="btn icon quiet"
                type="button"
                aria-label={say.removeNamed(schedule.text)}
                onClick={() => void act(() => routes.removeSchedule(schedule.id))}
              >
                <Icon name="close" />
              </button>
            </li>
          ))}
        </ul>
      )}
      <details class="sched">
        <summary class="link small">{say.add}</summary>
        <NewSchedule />
      </details>
    </Section>
  )
}

function NewSchedule() {
  const say = homeWords.value.schedule
  const empty = { text: '', folder: '', at: '', every: '0' }
  const form = useForm(empty)
  const { text, at, every } = form.values
  const folder = form.values.folder || here.value?.directory
  const body = {
    text,
    // As the browser's own clock has it.
    at: new Date(at).getTime(),
    ...(every === '0' ? {} : { everyMinutes: Number(every) }),
  }
  return (
    <FormFrame
      form={form}
      class="stack"
      look="section"
      isRight={folder !== undefined}
      send={() => routes.createSchedule(folder ?? '', body)}
      onSaved={() => form.restart(empty)}
      submitWords={say.add}
    >
      <TextArea label={say.text} {...form.typed('text')} rows={3} maxLength={textCharactersMax} prose required />
      {folders.value.length < 2 ? null : (
        <SelectField
          label={homeWords.value.task.project}
          value={folder ?? ''}
          options={folderOptions()}
          onChoose={(chosen) => form.set({ folder: chosen })}
        />
      )}
      <TextField label={say.at} {...form.typed('at')} type="datetime-local" maxLength={momentCharactersMax} required />
      <SelectField
        label={say.repeat}
        {...form.chosen('every')}
        options={[
          { value: '0', label: say.once },
          ...repeats.map((minutes) => ({ value: String(minutes), label: say.every(minutes) })),
        ]}
      />
    </FormFrame>
  )
}
