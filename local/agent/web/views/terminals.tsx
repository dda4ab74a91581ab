/** The terminals of a folder, without a session around them. */

import { useFolder } from '../components/folder-choice.tsx'
import { Shell, usePageTitle } from '../components/shell.tsx'
import { Skeleton } from '../components/states.tsx'
import { TerminalLater } from '../components/terminal-later.tsx'
import { words } from '../locales/words.ts'

export function TerminalsView() {
  const title = words.value.views.terminals
  usePageTitle(title)
  const { folder, choice } = useFolder()
  return (
    <Shell
      bar={
        <>
          <h1>{title}</h1>
          <div class="end">{choice}</div>
        </>
      }
    >
      <div class="work terms">
        {folder === undefined ? <Skeleton rows={6} /> : <TerminalLater directory={folder} />}
      </div>
    </Shell>
  )
}
