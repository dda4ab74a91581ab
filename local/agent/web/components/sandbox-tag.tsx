/** Whether commands of a folder are kept in a sandbox, and what that means for its owner. */
import { Icon } from '#shared/pages/icon.tsx'
import type { WireSandbox } from '../../contract/sandbox.ts'
import { askWords, panelWords } from '../locales/words.ts'
import { nameOf } from '../model/transcript.ts'
import { useSandbox } from '../state/sandbox.ts'

function meaningOf(state: WireSandbox, directory: string): string {
  const say = panelWords.value.sandbox
  if (state.state === 'on') return say.meaning(nameOf(directory), state.hosts)
  return `${say.asksAlways} ${askWords.value.why(state.reason, state.kind, state.detail)}`
}

/** A word, with its meaning where the pointer rests on it; it leads to where that stands as text. */
export function SandboxTag({ directory, href }: { directory: string; href: string }) {
  const state = useSandbox(directory)
  if (state === undefined) return null
  const say = panelWords.value.sandbox
  return (
    <a
      class={`sbx-tag small nowrap ${state.state === 'on' ? 'muted' : 'warn'}`}
      href={href}
      title={meaningOf(state, directory)}
    >
      <Icon name={state.state === 'on' ? 'shield' : 'warn'} small />
      {say.states[state.state]}
    </a>
  )
}

export function SandboxLine({ directory }: { directory: string | undefined }) {
  const state = useSandbox(directory)
  if (state === undefined || directory === undefined) return null
  return (
    <p class="sbx-line small">
      <span class={state.state === 'on' ? 'good' : 'warn'}>
        <Icon name={state.state === 'on' ? 'shield' : 'warn'} />
      </span>
      <span>
        <b>{panelWords.value.sandbox.states[state.state]}</b>
        <br />
        <span class="muted">{meaningOf(state, directory)}</span>
      </span>
    </p>
  )
}
