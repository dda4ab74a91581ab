/** The line of a file that differs: its path, whether it came or went, and by how many lines. */
import { Icon } from '#shared/pages/icon.tsx'
import type { FileDiff } from '../../core/session/message.ts'
import { panelWords } from '../locales/words.ts'
import { Changed } from './patch-view.tsx'

export function FileHead({ file }: { file: FileDiff }) {
  const say = panelWords.value.changes
  return (
    <>
      <Icon name="file" small />
      <span class="mono cut ends-only grow" title={file.path}>
        <bdi>{file.path}</bdi>
      </span>
      {file.status === 'modified' ? null : <span class="tag">{say.status[file.status]}</span>}
      <Changed added={file.additions} deleted={file.deletions} />
    </>
  )
}
