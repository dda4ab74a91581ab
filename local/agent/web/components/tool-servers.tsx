/** Tool servers of the server's own folder: which can be used, why others cannot, and the owner's sign-ins at them. */

import { useSignal } from '@preact/signals'
import { useEffect } from 'preact/hooks'
import { TextField } from '#shared/pages/field.tsx'
import type { WireToolServer } from '../../contract/tool-server.ts'
import { routes } from '../api/routes.ts'
import { homeWords } from '../locales/words.ts'
import { useActions, useForm } from '../state/kit.ts'
import { onEvent } from '../state/live.ts'
import { here } from '../state/sessions.ts'
import { FormFrame } from './form-frame.tsx'
import { Section } from './section.tsx'
import { FailureNote, InWords } from './states.tsx'

/** A server that starts is looked at again. */
const againMs = 2_000
/** As the server takes one. */
const addressCharactersMax = 8_000

export function ToolServerSection() {
  const say = homeWords.value.servers
  const directory = here.value?.directory
  const servers = useSignal<readonly WireToolServer[]>([])
  useEffect(() => {
    if (directory === undefined) return
    let isLeft = false
    let again: ReturnType<typeof setTimeout> | undefined
    async function read(folder: string): Promise<void> {
      clearTimeout(again)
      const answer = await routes.toolServers(folder)
      if (!answer.ok || isLeft) return
      servers.value = answer.value.data
      if (answer.value.data.some(({ status }) => status === 'starting'))
        again = setTimeout(() => void read(folder), againMs)
    }
    void read(directory)
    const stop = onEvent(({ type }) => {
      if (type === 'mcp.tools.changed' || type === 'server.connected') void read(directory)
    })
    return () => {
      isLeft = true
      clearTimeout(again)
      stop()
    }
  }, [directory])
  if (directory === undefined || servers.value.length === 0) return null
  return (
    <Section title={say.title} count={servers.value.length}>
      <ul class="rows servers">
        {servers.value.map((server) => (
          <ServerRow key={server.name} directory={directory} server={server} />
        ))}
      </ul>
    </Section>
  )
}

function ServerRow({ directory, server }: { directory: string; server: WireToolServer }) {
  const say = homeWords.value.servers
  const { name, status, message, fault } = server
  const address = useSignal<string | undefined>(undefined)
  const { failure, isBusy, act } = useActions()
  useEffect(() => {
    if (server.signedIn) address.value = undefined
  }, [server.signedIn])
  return (
    <li>
      <div class="grow">
        <b>{name}</b>{' '}
        <span class={status === 'ready' || status === 'off' ? 'small faint' : 'small warn'}>
          {say.states[status](server.tools)}
        </span>
        {status === 'failed' && message !== undefined ? (
          <p class="small muted">
            <InWords said={say.why(fault)} message={message} />
          </p>
        ) : null}
        <FailureNote failure={failure.value} />
        {address.value === undefined ? null : <ReturnForm directory={directory} name={name} address={address.value} />}
      </div>
      {server.signedIn ? (
        <button
          class="btn quiet"
          type="button"
          disabled={isBusy}
          aria-label={say.signOutOf(name)}
          onClick={() => void act(() => routes.forgetSignIn(directory, name))}
        >
          {say.signOut}
        </button>
      ) : null}
      {server.takesSignIn && status === 'needs_auth' ? (
        <button
          class="btn"
          type="button"
          disabled={isBusy}
          aria-label={say.signInAt(name)}
          onClick={async () => {
            const begun = await act(() => routes.beginSignIn(directory, name))
            if (begun?.ok === true) address.value = begun.value.data.address
          }}
        >
          {say.signIn}
        </button>
      ) : null}
    </li>
  )
}

/** The browser may be on another machine than the server: then the address at which it ended is brought here. */
function ReturnForm({ directory, name, address }: { directory: string; name: string; address: string }) {
  const say = homeWords.value.servers
  const form = useForm({ address: '' })
  return (
    <FormFrame
      form={form}
      class="stack"
      look="section"
      isRight
      send={() => routes.finishSignIn(directory, name, form.values.address.trim())}
      onSaved={() => {}}
      submitWords={say.finish}
    >
      <p>
        <a class="link" href={address} target="_blank" rel="noopener noreferrer">
          {say.openAt(new URL(address).host)}
        </a>
      </p>
      <TextField
        label={say.elsewhere}
        {...form.typed('address')}
        type="url"
        address
        maxLength={addressCharactersMax}
        required
      />
    </FormFrame>
  )
}
