/** Tool servers of the server's own folder: which can be used, why others cannot, and the owner's sign-ins at them. */

import { useSignal } from '@preact/signals'
import { useEffect, useRef } from 'preact/hooks'
import { showUnseen } from '#shared/pages/text-blocks.ts'
import type { WireToolServer } from '../../contract/tool-server.ts'
import { routes } from '../api/routes.ts'
import { homeWords } from '../locales/words.ts'
import { onEvent } from '../state/live.ts'
import { here } from '../state/sessions.ts'
import { useActions } from '../state/use-actions.ts'
import { FailureNote } from './states.tsx'

/** A server that starts is looked at again. */
const againMs = 2_000

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
    <section class="sec" aria-label={say.title}>
      <header>
        <h2>{say.title}</h2>
        <span class="n">{servers.value.length}</span>
      </header>
      <ul class="rows servers">
        {servers.value.map((server) => (
          <ServerRow key={server.name} directory={directory} server={server} />
        ))}
      </ul>
    </section>
  )
}

function ServerRow({ directory, server }: { directory: string; server: WireToolServer }) {
  const say = homeWords.value.servers
  const { name, status, message } = server
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
        {status === 'failed' && message !== undefined ? <p class="small muted">{showUnseen(message)}</p> : null}
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
  const field = useRef<HTMLInputElement>(null)
  const { failure, isBusy, act } = useActions()
  return (
    <form
      class="stack"
      onSubmit={(event) => {
        event.preventDefault()
        void act(() => routes.finishSignIn(directory, name, field.current?.value.trim() ?? ''))
      }}
    >
      <p>
        <a class="link" href={address} target="_blank" rel="noopener noreferrer">
          {say.openAt(new URL(address).host)}
        </a>
      </p>
      <label class="field">
        <span class="label">{say.elsewhere}</span>
        <input class="input mono" type="url" required ref={field} />
      </label>
      <FailureNote failure={failure.value} />
      <div class="btns">
        <button class="btn" type="submit" disabled={isBusy}>
          {say.finish}
        </button>
      </div>
    </form>
  )
}
