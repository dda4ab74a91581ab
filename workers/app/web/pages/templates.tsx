import { useSignal } from '@preact/signals'
import { useEffect } from 'preact/hooks'
import { Icon } from '#shared/pages/icon.tsx'
import { Empty } from '#shared/pages/note.tsx'
import { setting } from '#shared/pages/set.ts'
import type { WireTemplateEvent, WireTemplates } from '../../contract/templates.ts'
import type { Answer } from '../api/call.ts'
import { fetchTemplates, resetTemplate, saveTemplate } from '../api/messages.ts'
import { Confirm } from '../components/confirm.tsx'
import { Loaded } from '../components/loaded.tsx'
import { FailureNote } from '../components/note.tsx'
import { Shell } from '../components/shell.tsx'
import { TemplateEditor } from '../components/template-editor.tsx'
import { words } from '../locales/words.ts'
import { templateReasonOf } from '../model/reasons.ts'
import { type Draft, draftOf, isChanged, toBody } from '../model/template-draft.ts'
import { useResource } from '../resource.ts'
import { useActions } from '../use-actions.ts'

function EventList(props: {
  templates: WireTemplates
  current: string
  /** On a phone the list is a screen of its own. */
  isAlone: boolean
  isUnsaved: (event: WireTemplateEvent) => boolean
}) {
  const text = words.value.templates
  return (
    <nav class={props.isAlone ? 'evs alone' : 'evs'} aria-label={text.events}>
      {props.templates.groups.map((group) => (
        <section key={group.key}>
          <h2>{text.groupName(group.key, group.name)}</h2>
          <ul>
            {props.templates.events
              .filter((event) => event.group === group.key)
              .map((event) => (
                <li key={event.type}>
                  <a
                    href={`#/templates/${event.type}`}
                    aria-current={event.type === props.current ? 'page' : undefined}
                  >
                    <span class="grow cut">
                      {text.eventName(event.type, event.name)}
                      <span class="faint tiny mono ek">{event.type}</span>
                    </span>
                    {props.isUnsaved(event) ? (
                      <span class="warn" title={text.unsaved}>
                        <Icon name="m-part" small />
                        <span class="vh">{text.unsaved}</span>
                      </span>
                    ) : event.customized ? (
                      <span class="acc" title={text.customisedTag}>
                        <Icon name="m-on" small />
                        <span class="vh">{text.customisedTag}</span>
                      </span>
                    ) : null}
                  </a>
                </li>
              ))}
          </ul>
        </section>
      ))}
    </nav>
  )
}

export function TemplatesPage({ type }: { readonly type?: string }) {
  const text = words.value.templates
  const templates = useResource('templates', fetchTemplates)
  const drafts = useSignal<Readonly<Record<string, Draft>>>({})
  const { act, isBusy, failure } = useActions()
  const restoring = useSignal(false)
  const { data } = templates.state.value
  const current = type ?? data?.events[0]?.type ?? ''
  const event = data?.events.find((one) => one.type === current)
  const draftFor = (one: WireTemplateEvent) => drafts.value[one.type] ?? draftOf(one)
  const isUnsaved = (one: WireTemplateEvent) => isChanged(draftFor(one), one)
  const canSave = event !== undefined && isUnsaved(event) && !isBusy

  async function change(ask: (one: WireTemplateEvent) => Promise<Answer<unknown>>) {
    if (event === undefined) return
    const answer = await act(() => ask(event))
    if (answer?.ok) {
      await templates.reload()
      const { [event.type]: _, ...others } = drafts.value
      drafts.value = others
    }
    restoring.value = false
  }
  const save = () => change((one) => saveTemplate(one.type, toBody(draftFor(one), one)))

  useEffect(() => {
    function onKey(pressed: KeyboardEvent): void {
      if (pressed.key !== 's' || !(pressed.ctrlKey || pressed.metaKey)) return
      pressed.preventDefault()
      if (canSave) void save()
    }
    document.addEventListener('keydown', onKey)
    return () => document.removeEventListener('keydown', onKey)
  })
  useEffect(() => {
    failure.value = undefined
  }, [current])

  const customised = data?.events.filter((one) => one.customized).length ?? 0
  return (
    <Shell
      screen="templates"
      title={words.value.screens.templates}
      facts={
        data === undefined ? null : (
          <span class="faint small wide-only">{text.customised(String(customised), String(data.events.length))}</span>
        )
      }
      tools={
        <>
          {event?.customized ? (
            <button
              class={type === undefined ? 'btn quiet wide-only' : 'btn quiet'}
              type="button"
              disabled={isBusy}
              aria-label={text.restore}
              onClick={setting(restoring, true)}
            >
              <Icon name="undo" />
              <span class="wide-only">{text.restore}</span>
            </button>
          ) : null}
          <button
            class={type === undefined ? 'btn primary wide-only' : 'btn primary'}
            type="button"
            disabled={!canSave}
            onClick={() => void save()}
          >
            {words.value.common.save}
            <kbd class="wide-only">Ctrl S</kbd>
          </button>
        </>
      }
    >
      {/* What is wrong with the text itself stands below it. */}
      {failure.value === undefined || templateReasonOf(failure.value.reason) !== undefined ? null : (
        <FailureNote lead={text.saveFailed} failure={failure.value} />
      )}
      <Loaded of={templates}>
        {(data) => (
          <div class={type === undefined ? 'ev-cols' : 'ev-cols one'}>
            <EventList templates={data} current={current} isAlone={type === undefined} isUnsaved={isUnsaved} />
            {event === undefined ? (
              <Empty title={text.gone} body="">
                <a class="btn" href="#/templates">
                  {text.all}
                </a>
              </Empty>
            ) : (
              <div class="ev-one">
                <a class="link back phone-only" href="#/templates">
                  {text.all}
                </a>
                <TemplateEditor
                  key={event.type}
                  event={event}
                  common={data.common_vars}
                  draft={draftFor(event)}
                  isChanged={isUnsaved(event)}
                  onDraft={(draft) => {
                    drafts.value = { ...drafts.value, [event.type]: draft }
                  }}
                />
              </div>
            )}
          </div>
        )}
      </Loaded>
      {restoring.value && event !== undefined ? (
        <Confirm
          title={text.confirmRestore(text.eventName(event.type, event.name))}
          body={text.confirmRestoreBody}
          action={text.doRestore}
          busy={isBusy}
          onCancel={setting(restoring, false)}
          onConfirm={() => void change((one) => resetTemplate(one.type))}
        />
      ) : null}
    </Shell>
  )
}
