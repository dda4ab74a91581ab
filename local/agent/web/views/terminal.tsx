/** Terminals of the folder, over the server's own routes: a ticket, then a socket that goes on where it broke off. */
import '@xterm/xterm/css/xterm.css'
import { useSignal } from '@preact/signals'
import { useEffect, useRef } from 'preact/hooks'
import { Icon } from '#shared/pages/icon.tsx'
import type { ApiFailure } from '../api/ask.ts'
import { routes, type Terminal } from '../api/routes.ts'
import { FailureNote } from '../components/states.tsx'
import { panelWords } from '../locales/words.ts'
import { onEvent } from '../state/live.ts'
import { attachTerminal } from '../terminal/attach-terminal.ts'

export function TerminalPanel({ directory }: { directory: string }) {
  const say = panelWords.value.terminal
  const terminals = useSignal<readonly Terminal[]>([])
  const chosen = useSignal<string | undefined>(undefined)
  const failure = useSignal<ApiFailure | undefined>(undefined)
  async function read(): Promise<void> {
    const answer = await routes.terminals(directory)
    failure.value = answer.ok ? undefined : answer.failure
    if (answer.ok) terminals.value = answer.value.data
  }
  useEffect(() => {
    void read()
    return onEvent(({ type }) => {
      if (type.startsWith('pty.') || type === 'server.connected') void read()
    })
  }, [directory])
  async function start(): Promise<void> {
    const created = await routes.createTerminal(directory, {})
    failure.value = created.ok ? undefined : created.failure
    if (!created.ok) return
    chosen.value = created.value.data.id
    await read()
  }
  const shown = terminals.value.find(({ id }) => id === chosen.value) ?? terminals.value.at(-1)
  return (
    <div class="term">
      <header>
        <div class="tabs">
          {terminals.value.map((terminal) => (
            <button
              key={terminal.id}
              type="button"
              aria-pressed={terminal.id === shown?.id}
              onClick={() => {
                chosen.value = terminal.id
              }}
            >
              {terminal.title}
            </button>
          ))}
        </div>
        <span class="end btns">
          {shown === undefined ? null : (
            <button
              class="btn quiet icon"
              type="button"
              aria-label={say.remove}
              title={say.remove}
              onClick={async () => {
                const removed = await routes.removeTerminal(directory, shown.id)
                failure.value = removed.ok ? undefined : removed.failure
                await read()
              }}
            >
              <Icon name="close" />
            </button>
          )}
          <button class="btn" type="button" onClick={() => void start()}>
            <Icon name="plus" />
            {say.start}
          </button>
        </span>
      </header>
      {failure.value === undefined ? null : <FailureNote failure={failure.value} />}
      {shown === undefined ? (
        <p class="muted term-none">{say.none}</p>
      ) : (
        <Screen key={shown.id} directory={directory} terminal={shown} />
      )}
    </div>
  )
}

function Screen({ directory, terminal }: { directory: string; terminal: Terminal }) {
  const say = panelWords.value.terminal
  const place = useRef<HTMLDivElement>(null)
  const isLost = useSignal(false)
  const round = useSignal(0)
  useEffect(() => {
    if (place.current === null) return
    isLost.value = false
    return attachTerminal(place.current, {
      label: say.output,
      ticket: async () => {
        const answer = await routes.ticket(directory, terminal.id)
        return answer.ok ? answer.value.data.ticket : undefined
      },
      address: (ticket, cursor) =>
        `${location.origin.replace(/^http/, 'ws')}/api/pty/${terminal.id}/connect?${new URLSearchParams({ ticket, cursor: String(cursor), directory })}`,
      resize: (size) => void routes.resizeTerminal(directory, terminal.id, size),
      onLost: () => {
        isLost.value = true
      },
    })
  }, [terminal.id, round.value])
  return (
    <>
      {isLost.value && terminal.status === 'running' ? (
        <p class="note warn" role="status">
          <Icon name="warn" />
          <span>{say.lost}</span>
          <button class="link-button end" type="button" onClick={() => (round.value += 1)}>
            {say.connect}
          </button>
        </p>
      ) : null}
      {terminal.status === 'exited' ? <p class="small faint term-none">{say.ended(terminal.exitCode ?? 0)}</p> : null}
      <div class="scr" ref={place} />
    </>
  )
}
