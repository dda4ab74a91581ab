/** Beside the transcript, or in its place: what the session changed, what its model knows, and a terminal in its folder. */
import type { SessionRecord } from '../../core/session/message.ts'
import { TerminalLater } from '../components/terminal-later.tsx'
import { panelWords } from '../locales/words.ts'
import { type Panel, panels, sessionHref } from '../model/address.ts'
import type { OpenSession } from '../state/open-session.ts'
import { ChangesPanel } from './changes.tsx'
import { ContextPanel } from './context.tsx'

export function PanelView(props: { session: OpenSession; record: SessionRecord; panel: Panel }) {
  const { session, record, panel } = props
  const say = panelWords.value
  return (
    <aside class="work" aria-label={say.label}>
      <nav class="tabs" aria-label={say.label}>
        {panels.map((name) => (
          <a key={name} href={sessionHref(session.id, name)} aria-current={name === panel ? 'page' : undefined}>
            {say[name].title}
          </a>
        ))}
      </nav>
      {panel === 'changes' ? <ChangesPanel session={session} record={record} /> : null}
      {panel === 'context' ? <ContextPanel session={session} record={record} /> : null}
      {panel === 'terminal' ? <TerminalLater directory={record.location.directory} /> : null}
    </aside>
  )
}
