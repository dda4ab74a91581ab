/** The terminals of a folder, without a session around them. */

import { FolderShell, useFolder } from '../components/folder-choice.tsx'
import { Skeleton } from '../components/states.tsx'
import { TerminalLater } from '../components/terminal-later.tsx'
import { words } from '../locales/words.ts'

export function TerminalsView() {
  const { folder, choice } = useFolder()
  return (
    <FolderShell title={words.value.views.terminals} choice={choice}>
      <div class="work terms">
        {folder === undefined ? <Skeleton rows={6} /> : <TerminalLater directory={folder} />}
      </div>
    </FolderShell>
  )
}
