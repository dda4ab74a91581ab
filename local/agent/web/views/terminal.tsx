/** Terminals of the folder, over the server's own routes: a ticket, then a socket that goes on where it broke off. */

import { useActions } from '../state/kit.ts'
import { useRead } from '../state/use-read.ts'
import '@xterm/xterm/css/xterm.css'
import { useSignal } from '@preact/signals'
import { useEffect, useRef } from 'preact/hooks'
import { Icon } from '#shared/pages/icon.tsx'
import { routes, type Terminal } from '../api/routes.ts'
import { FailureNote } from '../components/states.tsx'
import { panelWords } from '../locales/words.ts'
import { attachTerminal } from '../terminal/attach-terminal.ts'

export function TerminalPanel({ directory }: { directory: string }) {
  const say = panelWords.value.terminal
  const chosen = useSignal<string | undefined>(undefined)
  const reading = useRead(
    () => routes.terminals(directory),
    [directory],
    ({ type }) => type.startsWith('pty.'),
  )
  const terminals = reading.value.value?.data ?? []
  const { failure, isBusy, act } = useActions(reading)
  async function start(): Promise<void> {
    const created = await act(() => routes.createTerminal(directory, {}))
    if (created?.ok === true) chosen.value = created.value.data.id
  }
  const shown = terminals.find(({ id }) => id === chosen.value) ?? terminals.at(-1)
  return (
    <div class="term">
      <header>
        <div class="tabs">
          {terminals.map((terminal) => (
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
              onClick={() => void act(() => routes.removeTerminal(directory, shown.id))}
            >
              <Icon name="close" />
            </button>
          )}
          <button class="btn" type="button" disabled={isBusy} onClick={() => void start()}>
            <Icon name="plus" />
            {say.start}
          </button>
        </span>
      </header>
      <FailureNote failure={failure.value ?? reading.failure.value} />
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
