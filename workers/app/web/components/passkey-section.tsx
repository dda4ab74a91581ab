/** Passkeys of the owner: added with a name, renamed, removed. */
import { type Signal, useSignal } from '@preact/signals'
import { Dialog } from '#shared/pages/dialog.tsx'
import { Icon } from '#shared/pages/icon.tsx'
import { Note } from '#shared/pages/note.tsx'
import type { WirePasskey } from '../../contract/console-passkeys.ts'
import { passkeyNameCharactersMax } from '../../limits.ts'
import { type Answer, type ApiFailure, fetchPasskeys, removePasskey, renamePasskey } from '../api-client.ts'
import { words } from '../locales/words.ts'
import { passkeySupportHere } from '../passkey-support-here.ts'
import type { PasskeyFailure } from '../passkeys.ts'
import { useResource } from '../resource.ts'
import { consoleState } from '../session.ts'
import { ConfirmRemoval } from './confirm-removal.tsx'
import { TextField } from './field.tsx'
import { Moment } from './figure.tsx'
import { Bones } from './list-states.tsx'
import { FailureNote } from './note.tsx'

/** A name for a new passkey, or for one that is there. */
function NameForm(props: {
  readonly title: string
  readonly first: string
  readonly action: string
  readonly onName: (name: string) => Promise<PasskeyFailure | undefined>
  readonly onClose: () => void
}) {
  const text = words.value.passkeys
  const name = useSignal(props.first)
  const tried = useSignal(false)
  const busy = useSignal(false)
  const failure = useSignal<PasskeyFailure | undefined>(undefined)
  const isMissing = name.value.trim() === ''

  async function submit(event: Event): Promise<void> {
    event.preventDefault()
    tried.value = true
    if (isMissing || busy.value) return
    busy.value = true
    failure.value = await props.onName(name.value.trim())
    busy.value = false
    if (failure.value === undefined) props.onClose()
  }

  return (
    <Dialog title={props.title} onClose={props.onClose}>
      <form class="su-form" onSubmit={(event) => void submit(event)}>
        <TextField
          label={text.name}
          value={name.value}
          maxLength={passkeyNameCharactersMax}
          autocomplete="off"
          onText={(value) => {
            name.value = value
          }}
          error={tried.value && isMissing ? text.nameNeeded : undefined}
        />
        <PasskeyFailureNote failure={failure.value} />
        <div class="btns ends-right">
          <button class="btn" type="button" onClick={props.onClose}>
            {words.value.common.cancel}
          </button>
          <button class="btn primary" type="submit" disabled={busy.value}>
            {props.action}
          </button>
        </div>
      </form>
    </Dialog>
  )
}

function PasskeyFailureNote({ failure }: { readonly failure: PasskeyFailure | undefined }) {
  if (failure === undefined) return null
  if (failure.kind === 'failed') return <FailureNote failure={failure.failure} />
  return (
    <Note tone="warn" role="alert">
      {words.value.passkeys.failures[failure.kind]}
    </Note>
  )
}

export function PasskeySection() {
  const text = words.value.passkeys
  const support = passkeySupportHere()
  const adding = useSignal(false)
  const renaming = useSignal<WirePasskey | undefined>(undefined)
  const removing = useSignal<WirePasskey | undefined>(undefined)
  const failure = useSignal<ApiFailure | undefined>(undefined)
  const passkeys = useResource('passkeys', fetchPasskeys)
  const { data, failure: loadFailure } = passkeys.state.value

  async function after(answer: Answer<unknown>): Promise<void> {
    failure.value = answer.ok ? undefined : answer.failure
    await passkeys.reload()
    noteWhetherAnyWorks(passkeys.state.value.data?.items)
  }

  async function make(name: string): Promise<PasskeyFailure | undefined> {
    const { makePasskey } = await import('../passkeys.ts')
    const made = await makePasskey(name)
    if (!made.ok) return made.failure
    await after(made)
    return undefined
  }

  async function rename(id: string, name: string): Promise<PasskeyFailure | undefined> {
    const renamed = await renamePasskey(id, name)
    if (!renamed.ok) return { kind: 'failed', failure: renamed.failure }
    await after(renamed)
    return undefined
  }

  return (
    <section class="sec">
      <header>
        <h2>{text.title}</h2>
      </header>
      <div class="su-form">
        <p class="muted">{text.lead}</p>
        {support === 'ready' ? null : <Note>{text.support[support]}</Note>}
        {failure.value === undefined ? null : <FailureNote failure={failure.value} />}
        {loadFailure === undefined ? null : (
          <FailureNote
            lead={words.value.common.loadFailed}
            failure={loadFailure}
            retry={() => void passkeys.reload()}
          />
        )}
        {data === undefined ? (
          loadFailure === undefined ? (
            <Bones rows={1} />
          ) : null
        ) : (
          <PasskeyTable passkeys={data.items} renaming={renaming} removing={removing} />
        )}
        {support === 'ready' ? (
          <button
            class="btn"
            type="button"
            onClick={() => {
              adding.value = true
            }}
          >
            <Icon name="plus" />
            {text.add}
          </button>
        ) : null}
      </div>
      {adding.value ? (
        <NameForm
          title={text.add}
          first=""
          action={text.create}
          onName={make}
          onClose={() => {
            adding.value = false
          }}
        />
      ) : null}
      {renaming.value === undefined ? null : (
        <RenameForm key={renaming.value.id} wanted={renaming} passkey={renaming.value} rename={rename} />
      )}
      <ConfirmRemoval
        wanted={removing}
        title={text.confirm}
        body={text.confirmBody}
        action={text.remove}
        remove={removePasskey}
        after={after}
      />
    </section>
  )
}

function RenameForm(props: {
  readonly wanted: Signal<WirePasskey | undefined>
  readonly passkey: WirePasskey
  readonly rename: (id: string, name: string) => Promise<PasskeyFailure | undefined>
}) {
  const { id, name } = props.passkey
  return (
    <NameForm
      title={words.value.passkeys.renameTitle(name)}
      first={name}
      action={words.value.common.save}
      onName={(wanted) => props.rename(id, wanted)}
      onClose={() => {
        props.wanted.value = undefined
      }}
    />
  )
}

function PasskeyTable(props: {
  readonly passkeys: readonly WirePasskey[]
  readonly renaming: Signal<WirePasskey | undefined>
  readonly removing: Signal<WirePasskey | undefined>
}) {
  const text = words.value.passkeys
  if (props.passkeys.length === 0) return null
  return (
    <table class="fold tokens passkeys">
      <thead>
        <tr>
          <th scope="col">{text.name}</th>
          <th scope="col">{text.host}</th>
          <th scope="col">{text.lastUsed}</th>
          <th scope="col">
            <span class="vh">{text.remove}</span>
          </th>
        </tr>
      </thead>
      <tbody>
        {props.passkeys.map((passkey) => (
          <tr key={passkey.id}>
            <td class="name">
              <b class="cut" title={passkey.name}>
                {passkey.name}
              </b>
            </td>
            <td>{passkey.host}</td>
            <td class="nowrap">
              <span class="phone-only faint">{text.lastUsed} </span>
              <Moment seconds={passkey.last_used_at} none={text.unused} />
            </td>
            <td class="num act">
              <button
                class="btn quiet"
                type="button"
                aria-label={`${text.rename} ${passkey.name}`}
                onClick={() => {
                  props.renaming.value = passkey
                }}
              >
                {text.rename}…
              </button>
              <button
                class="btn danger quiet"
                type="button"
                aria-label={`${text.remove} ${passkey.name}`}
                onClick={() => {
                  props.removing.value = passkey
                }}
              >
                {text.remove}…
              </button>
            </td>
          </tr>
        ))}
      </tbody>
    </table>
  )
}

/** The page of the sign-in offers passkeys where the state says that some work. */
function noteWhetherAnyWorks(items: readonly WirePasskey[] | undefined): void {
  const state = consoleState.value
  if (state === undefined || items === undefined) return
  consoleState.value = { ...state, passkeys: items.some(({ host }) => host === location.hostname) }
}
