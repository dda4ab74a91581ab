/** Passkeys of the owner: added with a name, renamed, removed. */

import { type Signal, useSignal } from '@preact/signals'
import type { ComponentChildren } from 'preact'
import { useEffect } from 'preact/hooks'
import { Icon } from '#shared/pages/icon.tsx'
import { Note } from '#shared/pages/note.tsx'
import { setting } from '#shared/pages/set.ts'
import type { WirePasskey } from '../../contract/console-passkeys.ts'
import { passkeyNameCharactersMax } from '../../limits.ts'
import { fetchPasskeys, removePasskey, renamePasskey } from '../api/account.ts'
import type { ApiFailure } from '../api/call.ts'
import { words } from '../locales/words.ts'
import { passkeySupportHere } from '../passkey-support-here.ts'
import { useResource } from '../resource.ts'
import { consoleState } from '../session.ts'
import { useActions } from '../use-actions.ts'
import { ConfirmRemoval } from './confirm-removal.tsx'
import { lastUsedColumn } from './last-used.tsx'
import { Loaded } from './loaded.tsx'
import { NameDialog, RenameDialog } from './name-dialog.tsx'
import { FailureNote } from './note.tsx'
import { Section } from './section.tsx'
import { AskButton, RowName, Table } from './table.tsx'

function oddNote({ code }: ApiFailure): ComponentChildren {
  const odd: Readonly<Record<string, string>> = words.value.passkeys.failures
  return odd[code] === undefined ? undefined : (
    <Note tone="warn" role="alert">
      {odd[code]}
    </Note>
  )
}

export function PasskeySection() {
  const text = words.value.passkeys
  const support = passkeySupportHere()
  const adding = useSignal(false)
  const renaming = useSignal<WirePasskey | undefined>(undefined)
  const passkeys = useResource('passkeys', fetchPasskeys)
  const { failure, after, removing } = useActions<WirePasskey>(passkeys)
  const { data } = passkeys.state.value
  // The page of the sign-in offers passkeys where the state says that some work.
  useEffect(() => {
    const state = consoleState.peek()
    if (state === undefined || data === undefined) return
    const passkeys = data.items.some(({ host }) => host === location.hostname)
    if (state.passkeys !== passkeys) consoleState.value = { ...state, passkeys }
  }, [data])

  return (
    <Section title={text.title}>
      <div class="su-form">
        <p class="muted">{text.lead}</p>
        {support === 'ready' ? null : <Note>{text.support[support]}</Note>}
        <FailureNote failure={failure.value} />
        <Loaded of={passkeys} skeletonRows={1}>
          {({ items }) => <PasskeyTable passkeys={items} renaming={renaming} removing={removing} />}
        </Loaded>
        {support === 'ready' ? (
          <button class="btn" type="button" onClick={setting(adding, true)}>
            <Icon name="plus" />
            {text.add}
          </button>
        ) : null}
      </div>
      {adding.value ? (
        <NameDialog
          title={text.add}
          charactersMax={passkeyNameCharactersMax}
          submitWords={text.create}
          send={async (name) => (await import('../passkeys.ts')).makePasskey(name)}
          noteOf={oddNote}
          onSaved={passkeys.reload}
          onClose={setting(adding, false)}
        />
      ) : null}
      <RenameDialog
        wanted={renaming}
        text={text}
        charactersMax={passkeyNameCharactersMax}
        send={renamePasskey}
        onSaved={passkeys.reload}
      />
      <ConfirmRemoval
        wanted={removing}
        text={{ ...text, doRemove: text.remove }}
        remove={removePasskey}
        after={after}
      />
    </Section>
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
    <Table
      class="tokens passkeys"
      rows={props.passkeys}
      keyOf={({ id }) => id}
      columns={[
        {
          head: words.value.common.name,
          td: 'name',
          cell: RowName,
        },
        { head: text.host, cell: ({ host }) => host },
        lastUsedColumn(text),
        {
          head: text.remove,
          isSpoken: true,
          td: 'num act',
          cell: (passkey) => (
            <>
              <AskButton word={text.rename} of={passkey} wanted={props.renaming} />
              <AskButton word={text.remove} of={passkey} wanted={props.removing} danger />
            </>
          ),
        },
      ]}
    />
  )
}
