import { useRef } from 'preact/hooks'
import { Icon } from '#shared/pages/icon.tsx'
import { routes } from '../api/routes.ts'
import { homeWords } from '../locales/words.ts'
import { sessionHref } from '../model/address.ts'
import { nameOf } from '../model/transcript.ts'
import { language } from '../preferences.ts'
import { folders, here } from '../state/sessions.ts'
import { useActions } from '../state/use-actions.ts'
import { useRead } from '../state/use-read.ts'
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
  const { value } = useRead(routes.schedules, [], ({ type }) => type === 'schedule.changed')
  const schedules = value.value?.data ?? []
  const { failure, act } = useActions()
  return (
    <section class="sec" aria-label={say.title}>
      <header>
        <h2>{say.title}</h2>
        {schedules.length === 0 ? null : <span class="n">{schedules.length}</span>}
      </header>
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
    </section>
  )
}

function NewSchedule() {
  const say = homeWords.value.schedule
  const form = useRef<HTMLFormElement>(null)
  const { failure, isBusy, act } = useActions()
  async function add(fields: FormData): Promise<void> {
    const chosen = fields.get('folder') ?? here.value?.directory
    if (typeof chosen !== 'string') return
    const every = Number(fields.get('every'))
    const body = {
      text: String(fields.get('text')),
      // As the browser's own clock has it.
      at: new Date(String(fields.get('at'))).getTime(),
      ...(every === 0 ? {} : { everyMinutes: every }),
    }
    const created = await act(() => routes.createSchedule(chosen, body))
    if (created?.ok === true) form.current?.reset()
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
      <FailureNote failure={failure.value} />
      <div class="btns">
        <button class="btn" type="submit" disabled={isBusy}>
          {say.add}
        </button>
      </div>
    </form>
  )
}
