/** Commands of the model that go on beside its turns: what they are, what they said, and how to end them. */
import { useSignal } from '@preact/signals'
import { Icon } from '#shared/pages/icon.tsx'
import { showUnseen } from '#shared/pages/text-blocks.ts'
import { type BackgroundCommand, routes } from '../api/routes.ts'
import { panelWords } from '../locales/words.ts'
import { sessionHref } from '../model/address.ts'
import { useActions } from '../state/kit.ts'
import { useRead } from '../state/use-read.ts'
import { LongText } from './long-text.tsx'
import { Section } from './section.tsx'
import { FailureNote, Loaded } from './states.tsx'

/** Those of a session, read again whenever one begins or ends. */
function useBackground(session: string): readonly BackgroundCommand[] {
  const { value } = useRead(
    () => routes.background(session),
    [session],
    ({ type, data }) => type === 'session.background.changed' && data['sessionID'] === session,
  )
  return value.value?.data ?? []
}

/** Above the prompt: what runs now. */
export function RunningCommands({ session }: { session: string }) {
  const say = panelWords.value.background
  const running = useBackground(session).filter(({ status }) => status === 'running')
  if (running.length === 0) return null
  return (
    <ul class="rows" aria-label={say.title}>
      {running.map((command) => (
        <li key={command.id}>
          <a class="grow cut link mono" href={sessionHref(session, 'context')} title={say.look}>
            {showUnseen(command.command)}
          </a>
          <span class="faint small nowrap">{say.states.running()}</span>
          <StopButton command={command} />
        </li>
      ))}
    </ul>
  )
}

/** In the panel: those that ended as well, each with its output. */
export function BackgroundSection({ session }: { session: string }) {
  const say = panelWords.value.background
  const commands = useBackground(session)
  if (commands.length === 0) return null
  return (
    <Section title={say.title} count={commands.length}>
      {commands.toReversed().map((command) => (
        <OneCommand key={command.id} command={command} />
      ))}
    </Section>
  )
}

function OneCommand({ command }: { command: BackgroundCommand }) {
  const say = panelWords.value.background
  const isOpen = useSignal(false)
  const reading = useRead(
    () => (isOpen.value ? routes.backgroundOutput(command.sessionID, command.id) : undefined),
    [isOpen.value],
  )
  return (
    <details class="tool" onToggle={({ currentTarget }) => (isOpen.value = currentTarget.open)}>
      <summary>
        <code class="cut">{showUnseen(command.command)}</code>
        <span class="end small faint">{say.states[command.status](command.exit)}</span>
      </summary>
      <div class="tool-in">
        <Loaded reading={reading} rows={3}>
          {({ data: { output } }) =>
            output === '' ? <p class="small muted">{say.silent}</p> : <LongText text={showUnseen(output)} />
          }
        </Loaded>
        <div class="btns">
          <button class="btn" type="button" onClick={() => void reading.reload()}>
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
  const { failure, isBusy, act } = useActions()
  return (
    <>
      <FailureNote failure={failure.value} />
      <button
        class="btn"
        type="button"
        disabled={isBusy}
        aria-label={say.stopNamed(command.command)}
        onClick={() => void act(() => routes.stopBackground(command.sessionID, command.id))}
      >
        <Icon name="stop" />
        {say.stop}
      </button>
    </>
  )
}
