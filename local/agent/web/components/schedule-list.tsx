/** Prompts that begin by themselves: what comes next, what was missed, and a form for one more. */
import { useSignal } from '@preact/signals'
import { useEffect, useRef } from 'preact/hooks'
import { Icon } from '#shared/pages/icon.tsx'
import type { WireSchedule } from '../../contract/schedule.ts'
import type { ApiFailure } from '../api/ask.ts'
import { routes } from '../api/routes.ts'
import { homeWords } from '../locales/words.ts'
import { sessionHref } from '../model/address.ts'
import { nameOf } from '../model/transcript.ts'
import { language } from '../preferences.ts'
import { onEvent } from '../state/live.ts'
import { folders, here } from '../state/sessions.ts'
import { FailureNote } from './states.tsx'

const hour = 60
const repeats = [hour, 24 * hour, 7 * 24 * hour] as const

function timeText(ms: number): string {
  return new Date(ms).toLocaleString(language.value === 'zh' ? 'zh-CN' : 'en-GB', {
    dateStyle: 'medium',
    timeStyle: 'short',
  })
}

export function ScheduleSection() {
  const say = homeWords.value.schedule
  const schedules = useSignal<readonly WireSchedule[]>([])
  const failure = useSignal<ApiFailure | undefined>(undefined)
  useEffect(() => {
    let isLeft = false
    async function read(): Promise<void> {
      const answer = await routes.schedules()
      if (answer.ok && !isLeft) schedules.value = answer.value.data
    }
    void read()
    const stop = onEvent(({ type }) => {
      if (type === 'schedule.changed' || type === 'server.connected') void read()
    })
    return () => {
      isLeft = true
      stop()
    }
  }, [])
  return (
    <section class="sec" aria-label={say.title}>
      <header>
        <h2>{say.title}</h2>
        {schedules.value.length === 0 ? null : <span class="n">{schedules.value.length}</span>}
      </header>
      {failure.value === undefined ? null : <FailureNote failure={failure.value} />}
      {schedules.value.length === 0 ? null : (
        <ul class="rows">
          {schedules.value.map((schedule) => (
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
                  <p class="small warn">{say.failed(schedule.last.problem ?? '')}</p>
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
                onClick={async () => {
                  const removed = await routes.removeSchedule(schedule.id)
                  failure.value = removed.ok ? undefined : removed.failure
                }}
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
    </section>
  )
}

function NewSchedule() {
  const say = homeWords.value.schedule
  const form = useRef<HTMLFormElement>(null)
  const failure = useSignal<ApiFailure | undefined>(undefined)
  async function add(fields: FormData): Promise<void> {
    const chosen = fields.get('folder') ?? here.value?.directory
    if (typeof chosen !== 'string') return
    const every = Number(fields.get('every'))
    const created = await routes.createSchedule(chosen, {
      text: String(fields.get('text')),
      // As the browser's own clock has it.
      at: new Date(String(fields.get('at'))).getTime(),
      ...(every === 0 ? {} : { everyMinutes: every }),
    })
    failure.value = created.ok ? undefined : created.failure
    if (created.ok) form.current?.reset()
  }
  return (
    <form
      class="stack"
      ref={form}
      onSubmit={(event) => {
        event.preventDefault()
        void add(new FormData(event.currentTarget))
      }}
    >
      <label class="field">
        <span class="label">{say.text}</span>
        <textarea class="input" name="text" rows={3} required />
      </label>
      {folders.value.length < 2 ? null : (
        <label class="field">
          <span class="label">{homeWords.value.task.project}</span>
          <select class="input" name="folder">
            {folders.value.map((directory) => (
              <option key={directory} value={directory}>
                {nameOf(directory)}
              </option>
            ))}
          </select>
        </label>
      )}
      <label class="field">
        <span class="label">{say.at}</span>
        <input class="input" type="datetime-local" name="at" required />
      </label>
      <label class="field">
        <span class="label">{say.repeat}</span>
        <select class="input" name="every">
          <option value="0">{say.once}</option>
          {repeats.map((minutes) => (
            <option key={minutes} value={minutes}>
              {say.every(minutes)}
            </option>
          ))}
        </select>
      </label>
      {failure.value === undefined ? null : <FailureNote failure={failure.value} />}
      <div class="btns">
        <button class="btn" type="submit">
          {say.add}
        </button>
      </div>
    </form>
  )
}
