/** Conversations with the assistant, one of them open. */
import { type Signal, signal, useSignal } from '@preact/signals'
import type { ComponentChildren } from 'preact'
import { useRef } from 'preact/hooks'
import { Icon } from '#shared/pages/icon.tsx'
import { Note } from '#shared/pages/note.tsx'
import { setting } from '#shared/pages/set.ts'
import type { WireConversation } from '../../contract/assistant.ts'
import { beginConversation, fetchAssistantStatus, fetchConversations, removeConversation } from '../api/assistant.ts'
import type { ApiFailure } from '../api/call.ts'
import { Composer } from '../components/composer.tsx'
import { Confirm } from '../components/confirm.tsx'
import { ConversationView, NotSent } from '../components/conversation.tsx'
import { ConversationList, conversationTitle } from '../components/conversation-list.tsx'
import { FailureNote } from '../components/note.tsx'
import { Shell } from '../components/shell.tsx'
import { useListKeys } from '../keys.ts'
import { words } from '../locales/words.ts'
import type { AssistantPlace } from '../model/hash-route.ts'
import { useResource } from '../resource.ts'
import { goTo } from '../router.ts'

const listEveryMs = 30_000

function Beginning(props: { draft: Signal<string>; closed: ComponentChildren; onBegun: (id: string) => void }) {
  const { draft } = props
  const text = words.value.assistant
  const busy = useSignal(false)
  const notSent = useSignal<ApiFailure | undefined>(undefined)

  async function begin(said: string): Promise<void> {
    busy.value = true
    notSent.value = undefined
    const answer = await beginConversation(said)
    busy.value = false
    if (!answer.ok) {
      notSent.value = answer.failure
      return
    }
    draft.value = ''
    props.onBegun(answer.value.id)
    // Whoever went elsewhere meanwhile stays there.
    if (/^#\/assistant(\/new)?$/.test(location.hash)) goTo(`#/assistant/${answer.value.id}`)
  }

  return (
    <section class="chat" aria-label={text.begin}>
      <div class="talk">
        <h2 class="form-title">{text.welcome}</h2>
        <p class="muted lead">{text.welcomeBody}</p>
        {props.closed ?? (
          <ul class="examples">
            {Object.values(text.examples).map((example) => (
              <li key={example}>
                <button
                  class="link-button"
                  type="button"
                  onClick={() => {
                    draft.value = example
                    document.querySelector<HTMLElement>('.composer textarea')?.focus()
                  }}
                >
                  {example}
                </button>
              </li>
            ))}
          </ul>
        )}
      </div>
      <div class="foot">
        {notSent.value === undefined ? null : <NotSent failure={notSent.value} />}
        {props.closed === undefined ? (
          <Composer draft={draft} busy={busy.value} running={false} waiting={0} onSend={(said) => void begin(said)} />
        ) : null}
      </div>
    </section>
  )
}

function Off() {
  const text = words.value.assistant
  return (
    <Note
      tone="warn"
      role="status"
      action={
        <a class="link" href="#/settings?at=assistant">
          {text.turnOn}
        </a>
      }
    >
      <b>{text.off}</b> {text.offBody}
    </Note>
  )
}

export function AssistantPage({ place }: { readonly place: AssistantPlace }) {
  const text = words.value.assistant
  const status = useResource('assistant status', fetchAssistantStatus)
  const list = useResource('conversations', fetchConversations, listEveryMs)
  /** What was begun in each conversation and not sent. */
  const drafts = useRef(new Map<string, Signal<string>>())
  const begun = useRef<string | undefined>(undefined)
  useListKeys()
  const removing = useSignal<WireConversation | undefined>(undefined)
  const busy = useSignal(false)
  const failure = useSignal<ApiFailure | undefined>(undefined)

  const openId = place.at === 'one' ? place.id : undefined
  const open = list.state.value.data?.items.find(({ id }) => id === openId)
  const known = status.state.value.data
  // While it is not known, the server is asked by sending.
  const closed = known?.enabled === false ? <Off /> : undefined

  function draftOf(key: string): Signal<string> {
    const kept = drafts.current.get(key) ?? signal('')
    drafts.current.set(key, kept)
    return kept
  }

  async function remove(id: string): Promise<void> {
    busy.value = true
    failure.value = undefined
    const answer = await removeConversation(id)
    busy.value = false
    if (!answer.ok && answer.failure.status !== 404) {
      failure.value = answer.failure
      return
    }
    removing.value = undefined
    drafts.current.delete(id)
    goTo('#/assistant')
    void list.reload()
  }

  return (
    <Shell
      screen="assistant"
      title={words.value.screens.assistant}
      frame={`split chatpage at-${place.at}`}
      facts={
        open === undefined ? undefined : (
          <span class="faint small cut wide-only" dir="auto">
            {conversationTitle(open)}
          </span>
        )
      }
      tools={
        <>
          {known === undefined || !known.enabled ? null : (
            <span class="faint small cut wide-only mid">
              {known.can_confirm ? text.acts(known.model) : text.readsOnly(known.model)}
            </span>
          )}
          {open === undefined ? null : (
            <button
              class="btn icon quiet"
              type="button"
              aria-label={text.remove}
              title={text.remove}
              onClick={() => {
                failure.value = undefined
                removing.value = open
              }}
            >
              <Icon name="trash" />
            </button>
          )}
          {place.at === 'list' ? null : (
            <a class="btn icon phone-only" href="#/assistant" aria-label={text.all}>
              <Icon name="session" />
            </a>
          )}
          <a class="btn wide-only" href="#/assistant/new">
            <Icon name="plus" />
            {text.begin}
          </a>
          <a class="btn icon phone-only" href="#/assistant/new" aria-label={text.begin}>
            <Icon name="plus" />
          </a>
        </>
      }
    >
      <ConversationList list={list} current={openId} closed={place.at === 'list' ? closed : undefined} />
      {openId === undefined ? (
        <Beginning
          draft={draftOf('')}
          closed={closed}
          onBegun={(id) => {
            begun.current = id
            void list.reload()
          }}
        />
      ) : (
        <ConversationView
          key={openId}
          id={openId}
          draft={draftOf(openId)}
          canDecide={known?.can_confirm !== false}
          closed={closed}
          isNew={begun.current === openId}
          onTurn={() => void list.reload()}
        />
      )}
      {removing.value === undefined ? null : (
        <Confirm
          title={text.confirmRemove(conversationTitle(removing.value))}
          body={text.confirmRemoveBody}
          action={text.doRemove}
          busy={busy.value}
          onConfirm={() => void remove(removing.value?.id ?? '')}
          onCancel={setting(removing, undefined)}
        >
          <FailureNote failure={failure.value} />
        </Confirm>
      )}
    </Shell>
  )
}
