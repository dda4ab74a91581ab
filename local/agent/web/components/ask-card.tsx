/** What waits for the owner: a permission with the very boundary it is about, or questions with their answers. */

import { useSignal } from '@preact/signals'
import type { ComponentChildren } from 'preact'
import { useId, useRef } from 'preact/hooks'
import { Icon } from '#shared/pages/icon.tsx'
import { showUnseen } from '#shared/pages/text-blocks.ts'
import { permissionQuestion } from '../../core/permission-words.ts'
import type { PermissionRequest, QuestionItem, QuestionRequest } from '../../core/session/event.ts'
import type { OutsideKind } from '../../core/vocabulary.ts'
import type { Answer } from '../api/ask.ts'
import { type PermissionAnswer, routes } from '../api/routes.ts'
import { askWords } from '../locales/words.ts'
import { sessionHref } from '../model/address.ts'
import type { Ask } from '../model/asks.ts'
import { nameOf } from '../model/transcript.ts'
import { useActions } from '../state/kit.ts'
import { dropAsk, sessions } from '../state/sessions.ts'
import { PatchView } from './patch-view.tsx'
import { ReportView } from './report-view.tsx'
import { FailureNote } from './states.tsx'

/** `session` is the one on screen: a request of one of its sub-agents says whose it is, and elsewhere of which session. */
export function AskCard({ ask, session }: { ask: Ask; session?: string }) {
  const { failure, isBusy: isSent, act } = useActions()
  async function settle(answer: () => Promise<Answer<undefined>>): Promise<void> {
    const settled = await act(answer)
    // Somebody else was faster: it is settled, which is what was wanted.
    if (settled?.ok === true || settled?.failure.code === 'not_found') dropAsk(ask.request.id)
  }
  const origin = <Origin sessionId={ask.request.sessionID} here={session} />
  return (
    <>
      {ask.kind === 'permission' ? (
        <PermissionCard request={ask.request} origin={origin} isSent={isSent} settle={settle} />
      ) : (
        <QuestionCard request={ask.request} origin={origin} isSent={isSent} settle={settle} />
      )}
      <FailureNote failure={failure.value} />
    </>
  )
}

function Origin({ sessionId, here }: { sessionId: string; here: string | undefined }) {
  const say = askWords.value
  const from = (sessions.value ?? []).find((one) => one.id === sessionId)
  if (from === undefined || sessionId === here) return null
  return (
    <p class="small muted">
      {here === undefined ? (
        <a class="link" href={sessionHref(from.parentID ?? from.id)}>
          {say.from(from.title, nameOf(from.location.directory))}
        </a>
      ) : (
        say.byChild(from.agent ?? from.title)
      )}
    </p>
  )
}

interface CardProps<R> {
  readonly request: R
  readonly origin: ComponentChildren
  readonly isSent: boolean
  readonly settle: (answer: () => Promise<Answer<undefined>>) => Promise<void>
}

function textOf(value: unknown): string | undefined {
  return typeof value === 'string' && value !== '' ? value : undefined
}

/** What a stored rule would let through, as it is matched. */
function coveredBy(save: readonly string[]): string {
  return save.map((pattern) => (pattern === '*' ? askWords.value.everything : showUnseen(pattern))).join(', ')
}

function PermissionCard({ request, origin, isSent, settle }: CardProps<PermissionRequest>) {
  const say = askWords.value
  const title = useId()
  const step = useSignal<'first' | 'always' | 'why'>('first')
  const reason = useRef<HTMLTextAreaElement>(null)
  const reply = (answer: PermissionAnswer): void => void settle(() => routes.replyPermission(request, answer))
  const verbs: Readonly<Record<string, string>> = say.verbs
  const metadata = request.metadata ?? {}
  const command = textOf(metadata['command'])
  const diff = textOf(metadata['diff'])
  const reach = textOf(metadata['reach'])
  const why = textOf(metadata['outside']) ?? textOf(metadata['unparsed'])
  const outsideKind = textOf(metadata['outsideKind']) as OutsideKind | undefined
  const save = request.save ?? []
  const isLine = request.action === 'bash' || request.action === 'bash_outside'
  return (
    // biome-ignore lint/a11y/useSemanticElements: a group that has the focus itself, for the keys of its two answers
    <div
      class="ask"
      role="group"
      aria-labelledby={title}
      data-ask
      tabIndex={-1}
      onKeyDown={(event) => {
        if (event.target instanceof HTMLTextAreaElement || event.ctrlKey || event.metaKey || event.altKey) return
        if (event.key === 'y') reply({ reply: 'once' })
        else if (event.key === 'x') reply({ reply: 'reject' })
        else return
        event.preventDefault()
      }}
    >
      <p class="ask-h">
        <span class="acc">
          <Icon name="shield" />
        </span>
        <b id={title}>{permissionQuestion(request.action, say.permission)}</b>
        <code class="faint small">{request.action}</code>
      </p>
      {origin}
      {isLine && command !== undefined ? (
        <pre class="code argbox" dir="ltr">
          {showUnseen(command)}
        </pre>
      ) : (
        <ul class="bounds">
          {request.resources.map((resource) => (
            <li key={resource}>
              <span class="faint">{verbs[request.action] ?? say.verbs.other}</span>
              <code>{showUnseen(resource)}</code>
            </li>
          ))}
        </ul>
      )}
      {!isLine && command !== undefined ? (
        <p class="small muted">
          {say.command} <code>{showUnseen(command)}</code>
        </p>
      ) : null}
      {diff === undefined ? null : <PatchView patch={diff} />}
      {reach === undefined ? null : (
        <>
          <p class="small muted">{say.reach}</p>
          <ReportView report={reach} />
        </>
      )}
      {why === undefined ? null : (
        <p class="small muted">{say.why(why, outsideKind, textOf(metadata['outsideDetail']))}</p>
      )}
      {metadata['protected'] === true ? <p class="small warn">{say.protected}</p> : null}
      <p class="small muted">{save.length === 0 ? say.noAlways : say.alwaysCovers(coveredBy(save))}</p>
      {step.value === 'why' ? (
        <div class="field">
          <label>
            <span class="label">{say.reason}</span>
            <textarea class="input" rows={2} ref={reason} />
          </label>
          <div class="btns">
            <button
              class="btn danger"
              type="button"
              disabled={isSent}
              onClick={() => reply({ reply: 'reject', message: reason.current?.value ?? '' })}
            >
              {say.rejectWith}
            </button>
          </div>
        </div>
      ) : (
        <div class="btns">
          <button class="btn primary" type="button" disabled={isSent} onClick={() => reply({ reply: 'once' })}>
            {say.once}
            <kbd class="wide-only">Y</kbd>
          </button>
          {save.length === 0 ? null : step.value === 'always' ? (
            <>
              <button class="btn" type="button" onClick={() => reply({ reply: 'always', scope: 'session' })}>
                {say.forSession}
              </button>
              <button class="btn" type="button" onClick={() => reply({ reply: 'always' })}>
                {say.forProject}
              </button>
            </>
          ) : (
            <button class="btn" type="button" disabled={isSent} onClick={() => (step.value = 'always')}>
              {say.always}
            </button>
          )}
          <button class="btn danger" type="button" disabled={isSent} onClick={() => reply({ reply: 'reject' })}>
            {say.reject}
            <kbd class="wide-only">X</kbd>
          </button>
          <button class="btn quiet" type="button" onClick={() => (step.value = 'why')}>
            {say.rejectWhy}
          </button>
        </div>
      )}
    </div>
  )
}

function QuestionCard({ request, origin, isSent, settle }: CardProps<QuestionRequest>) {
  const say = askWords.value
  const title = useId()
  const isUnanswered = useSignal(false)
  function answersIn(form: HTMLFormElement): string[][] {
    const given = new FormData(form)
    return request.questions.map((item, at) => {
      const own = String(given.get(`own-${at}`) ?? '').trim()
      const chosen = given.getAll(`choice-${at}`).map(String)
      if (own === '') return chosen
      return item.multiple === true ? [...chosen, own] : [own]
    })
  }
  return (
    <form
      class="ask"
      aria-labelledby={title}
      data-ask
      tabIndex={-1}
      onSubmit={(event) => {
        event.preventDefault()
        const answers = answersIn(event.currentTarget)
        isUnanswered.value = answers.some((answer) => answer.length === 0)
        if (!isUnanswered.value) void settle(() => routes.replyQuestion(request, answers))
      }}
    >
      <p class="ask-h">
        <span class="acc">
          <Icon name="question" />
        </span>
        <b id={title}>{say.question}</b>
      </p>
      {origin}
      {request.questions.map((item, at) => (
        <OneQuestion key={at} item={item} at={at} />
      ))}
      {isUnanswered.value ? (
        <p class="small warn" role="alert">
          {say.unanswered}
        </p>
      ) : null}
      <div class="btns">
        <button class="btn primary" type="submit" disabled={isSent}>
          {say.answer}
        </button>
        <button
          class="btn quiet"
          type="button"
          disabled={isSent}
          onClick={() => void settle(() => routes.rejectQuestion(request))}
        >
          {say.skip}
        </button>
      </div>
    </form>
  )
}

/** A line that is an address leads there: it is what a tool server wants opened, and shown as it is. */
function Asked({ text }: { text: string }) {
  return (
    <>
      {text.split('\n').map((line, at) => (
        <span key={at} class="line">
          {/^https?:\/\/\S+$/.test(line) ? (
            <a class="link mono" href={line} target="_blank" rel="noopener noreferrer">
              {showUnseen(line)}
            </a>
          ) : (
            showUnseen(line)
          )}
        </span>
      ))}
    </>
  )
}

function OneQuestion({ item, at }: { item: QuestionItem; at: number }) {
  const say = askWords.value
  const type = item.multiple === true ? 'checkbox' : 'radio'
  return (
    <fieldset class="asked">
      <legend dir="auto">
        <Asked text={item.question} />
        {item.multiple === true ? <span class="faint small"> {say.several}</span> : null}
      </legend>
      {item.options.map((option) => (
        <label key={option.label} class="choice">
          <input type={type} name={`choice-${at}`} value={option.label} />
          <span dir="auto">
            <b>{showUnseen(option.label)}</b>
            {option.description === '' ? null : <span class="s faint small">{showUnseen(option.description)}</span>}
          </span>
        </label>
      ))}
      {item.custom === false ? null : (
        <label class="field">
          <span class="label">{say.ownAnswer}</span>
          <input class="input" type="text" name={`own-${at}`} />
        </label>
      )}
    </fieldset>
  )
}
