/** Commands of the model that go on beside its turns: what they are, what they said, and how to end them. */
import { type ReadonlySignal, useSignal } from '@preact/signals'
import { useEffect } from 'preact/hooks'
import { Icon } from '#shared/pages/icon.tsx'
import { showUnseen } from '#shared/pages/text-blocks.ts'
import type { ApiFailure } from '../api/ask.ts'
import { type BackgroundCommand, routes } from '../api/routes.ts'
import { panelWords } from '../locales/words.ts'
import { onEvent } from '../state/live.ts'
import { LongText } from './long-text.tsx'
import { FailureNote } from './states.tsx'

/** Those of a session, read again whenever one begins or ends. */
function useBackground(session: string): ReadonlySignal<readonly BackgroundCommand[]> {
  const commands = useSignal<readonly BackgroundCommand[]>([])
  useEffect(() => {
    let isLeft = false
    async function read(): Promise<void> {
      const answer = await routes.background(session)
      if (answer.ok && !isLeft) commands.value = answer.value.data
    }
    void read()
    const stop = onEvent(({ type, data }) => {
      const isOurs = type === 'session.background.changed' && data['sessionID'] === session
      if (isOurs || type === 'server.connected') void read()
    })
    return () => {
      isLeft = true
      stop()
    }
  }, [session])
  return commands
}

/** Above the prompt: what runs now. */
export function RunningCommands({ session }: { session: string }) {
  const say = panelWords.value.background
  const running = useBackground(session).value.filter(({ status }) => status === 'running')
  if (running.length === 0) return null
  return (
    <ul class="rows" aria-label={say.title}>
      {running.map((command) => (
        <li key={command.id}>
          <code class="grow cut">{showUnseen(command.command)}</code>
          <StopButton command={command} />
        </li>
      ))}
    </ul>
  )
}

/** In the panel: those that ended as well, each with its output. */
export function BackgroundSection({ session }: { session: string }) {
  const say = panelWords.value.background
  const commands = useBackground(session).value
  if (commands.length === 0) return null
  return (
    <section class="sec">
      <header>
        <h2>{say.title}</h2>
        <span class="n">{commands.length}</span>
      </header>
      {commands.toReversed().map((command) => (
        <OneCommand key={command.id} command={command} />
      ))}
    </section>
  )
}

function OneCommand({ command }: { command: BackgroundCommand }) {
  const say = panelWords.value.background
  const output = useSignal<string | undefined>(undefined)
  const failure = useSignal<ApiFailure | undefined>(undefined)
  async function read(): Promise<void> {
    const answer = await routes.backgroundOutput(command.sessionID, command.id)
    failure.value = answer.ok ? undefined : answer.failure
    if (answer.ok) output.value = answer.value.data.output
  }
  return (
    <details
      class="tool"
      onToggle={({ currentTarget }) => {
        if (currentTarget.open) void read()
      }}
    >
      <summary>
        <code class="cut">{showUnseen(command.command)}</code>
        <span class="end small faint">{say.states[command.status](command.exit)}</span>
      </summary>
      <div class="tool-in">
        {failure.value === undefined ? null : <FailureNote failure={failure.value} />}
        {output.value === undefined ? null : output.value === '' ? (
          <p class="small muted">{say.silent}</p>
        ) : (
          <LongText text={showUnseen(output.value)} />
        )}
        <div class="btns">
          <button class="btn" type="button" onClick={() => void read()}>
            {say.read}
          </button>
          {command.status === 'running' ? <StopButton command={command} /> : null}
        </div>
      </div>
    </details>
  )
}

function StopButton({ command }: { command: BackgroundCommand }) {
  const say = panelWords.value.background
  const isSent = useSignal(false)
  const failure = useSignal<ApiFailure | undefined>(undefined)
  return (
    <>
      {failure.value === undefined ? null : <FailureNote failure={failure.value} />}
      <button
        class="btn"
        type="button"
        disabled={isSent.value}
        aria-label={say.stopNamed(command.command)}
        onClick={async () => {
          isSent.value = true
          const stopped = await routes.stopBackground(command.sessionID, command.id)
          isSent.value = false
          failure.value = stopped.ok ? undefined : stopped.failure
        }}
      >
        <Icon name="stop" />
        {say.stop}
      </button>
    </>
  )
}
