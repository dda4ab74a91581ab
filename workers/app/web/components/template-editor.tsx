/** One event: its two texts, what is wrong with them, its variables, and what would be sent. */

import { useSignal } from '@preact/signals'
import { useEffect, useId, useRef } from 'preact/hooks'
import { TextField } from '#shared/pages/field.tsx'
import { Note } from '#shared/pages/note.tsx'
import type { WireTemplateEvent, WireTemplateVariable } from '../../contract/templates.ts'
import { templateTitleCharactersMax } from '../../limits.ts'
import type { ApiFailure } from '../api/call.ts'
import { previewTemplate } from '../api/messages.ts'
import { words } from '../locales/words.ts'
import { meantBy, mended, type TemplateReason, templateReasonOf } from '../model/reasons.ts'
import { type Draft, toBody, variableRows } from '../model/template-draft.ts'
import { Moment } from './figure.tsx'
import { FailureWords } from './note.tsx'
import { ReasonWords } from './reason.tsx'
import { type BoxHandle, TemplateBox } from './template-box.tsx'

const pauseMs = 250

/** What the texts of the draft make of the sample data, a moment after the last letter. The newest question wins. */
function usePreview(event: WireTemplateEvent, draft: Draft) {
  const good = useSignal<Draft | undefined>(undefined)
  const failure = useSignal<ApiFailure | undefined>(undefined)
  const { title, text } = toBody(draft, event)
  useEffect(() => {
    const asked = new AbortController()
    const isFirst = good.peek() === undefined && failure.peek() === undefined
    const timer = setTimeout(
      async () => {
        const answer = await previewTemplate(event.type, { title, text }, asked.signal)
        if (asked.signal.aborted) return
        failure.value = answer.ok ? undefined : answer.failure
        if (answer.ok) good.value = answer.value
      },
      isFirst ? 0 : pauseMs,
    )
    return () => {
      clearTimeout(timer)
      asked.abort()
    }
  }, [event.type, title, text])
  return { good: good.value, failure: failure.value }
}

function FaultNote(props: { id: string; failure: ApiFailure; fault: TemplateReason | undefined; onFix: () => void }) {
  const { fault } = props
  const text = words.value
  return (
    <div id={props.id}>
      <Note
        tone="bad"
        role="status"
        action={
          fault === undefined || meantBy(fault) === undefined ? undefined : (
            <button class="link-button" type="button" onClick={props.onFix}>
              {text.templates.fixIt}
            </button>
          )
        }
      >
        {fault === undefined ? <FailureWords failure={props.failure} /> : <ReasonWords reason={fault} />}
      </Note>
    </div>
  )
}

function Variables(props: {
  own: readonly WireTemplateVariable[]
  common: readonly WireTemplateVariable[]
  onInsert: (text: string) => void
}) {
  const text = words.value.templates
  return (
    <section class="sec">
      <header>
        <h2>{text.variables}</h2>
        <span class="n">{text.variableCount(String(props.own.length), String(props.common.length))}</span>
        <span class="end faint">{text.insert}</span>
      </header>
      <table class="vars">
        <thead>
          <tr>
            <th scope="col">{text.columns.name}</th>
            <th scope="col">{text.columns.type}</th>
            <th scope="col">{text.columns.meaning}</th>
            <th scope="col">{text.columns.sample}</th>
          </tr>
        </thead>
        <tbody>
          {variableRows([...props.own, ...props.common]).map((row) => (
            <tr key={row.name}>
              <td class={row.isField ? 'field-of' : undefined}>
                <button
                  class="var mono"
                  type="button"
                  aria-label={text.insertOne(row.name)}
                  onClick={() => props.onInsert(row.insert)}
                >
                  {row.name}
                </button>
              </td>
              <td class="faint small nowrap">{text.types[row.type]}</td>
              <td class="small">{text.variable(row.name, row.desc)}</td>
              <td class="cut faint small" title={row.sample}>
                {row.sample === '' ? '—' : row.sample}
              </td>
            </tr>
          ))}
        </tbody>
      </table>
    </section>
  )
}

/** As a chat shows it. */
function Message({ title, text, plain }: Draft & { plain?: boolean }) {
  return (
    <div class={plain ? 'msg plain' : 'msg'} dir="auto">
      {title === '' ? null : <b>{title}</b>}
      <p>{text}</p>
    </div>
  )
}

export function TemplateEditor(props: {
  event: WireTemplateEvent
  common: readonly WireTemplateVariable[]
  draft: Draft
  isChanged: boolean
  onDraft: (draft: Draft) => void
}) {
  const { event, draft } = props
  const text = words.value.templates
  const { good, failure } = usePreview(event, draft)
  const note = useId()
  const box = useRef<BoxHandle | undefined>(undefined)
  const fault = failure === undefined ? undefined : templateReasonOf(failure.reason)
  const shown = good ?? { title: event.sample_title, text: event.sample_text }
  return (
    <div class="tpl">
      <section class="ed">
        <div class="ed-h">
          <h2>{text.eventName(event.type, event.name)}</h2>
          <span class="faint mono small">{event.type}</span>
          {event.customized ? <span class="tag on">{text.customisedTag}</span> : null}
          {props.isChanged ? <span class="tag guess">{text.unsaved}</span> : null}
          {event.updated_at === 0 ? null : (
            <span class="faint small end">
              {text.saved} <Moment seconds={event.updated_at} />
            </span>
          )}
        </div>
        <p class="muted">
          {text.eventDesc(event.type, event.desc)}
          {event.group === 'notify' ? <span class="faint"> · {text.lead}</span> : null}
        </p>
        {event.no_title ? (
          <p class="faint small">{text.bodyOnly}</p>
        ) : (
          <TextField
            label={text.title}
            code
            value={draft.title}
            maxLength={templateTitleCharactersMax}
            onText={(title) => props.onDraft({ ...draft, title })}
            hint={draft.title === '' ? text.emptyHint : undefined}
          />
        )}
        <TemplateBox
          label={text.text}
          value={draft.text}
          wrongLine={fault?.part === 'text' ? fault.line : undefined}
          describedBy={failure === undefined ? undefined : note}
          handle={box}
          onText={(written) => props.onDraft({ ...draft, text: written })}
        />
        {failure === undefined ? null : (
          <FaultNote
            id={note}
            failure={failure}
            fault={fault}
            onFix={() => {
              if (fault !== undefined) props.onDraft({ ...draft, [fault.part]: mended(draft[fault.part], fault) })
            }}
          />
        )}
        <p class="faint small">{text.syntax}</p>
        <Variables own={event.vars} common={props.common} onInsert={(written) => box.current?.insert(written)} />
      </section>
      <aside class="pv">
        <section class={failure === undefined ? 'sec' : 'sec open'}>
          <header>
            <h2>{text.preview}</h2>
            <span class="n">{failure === undefined ? text.previewOf : text.previewLast}</span>
          </header>
          <Message {...shown} />
        </section>
        <section class="sec">
          <header>
            <h2>{text.builtIn}</h2>
            <span class="n">{text.previewOf}</span>
          </header>
          <Message title={event.sample_title} text={event.sample_text} plain />
        </section>
        <p class="faint small">{text.masked}</p>
      </aside>
    </div>
  )
}
