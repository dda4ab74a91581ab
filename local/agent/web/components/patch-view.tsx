/** A difference, hunk by hunk. */

import type { ComponentChildren } from 'preact'
import { useMemo } from 'preact/hooks'
import type { ChangeCounts } from '../../core/session/message.ts'
import { panelWords, toolWords } from '../locales/words.ts'
import { type Hunk, type PatchLine, readPatch } from '../model/patch.ts'

const marks = { same: '', added: '+', deleted: '−' } as const
const looks = { same: 'ln', added: 'ln add', deleted: 'ln del' } as const

function Line({ line }: { line: PatchLine }) {
  return (
    <div class={looks[line.kind]}>
      <span class="no">{line.before}</span>
      <span class="no">{line.after}</span>
      <span class="sg">{marks[line.kind]}</span>
      <code>{line.text}</code>
    </div>
  )
}

/** What can be done with a hunk, and whether it is folded away. */
export interface HunkActions {
  isFolded(hunk: Hunk): boolean
  buttons(hunk: Hunk, at: number): ComponentChildren
}

function HunkView({ hunk, at, of, actions }: { hunk: Hunk; at: number; of: number; actions: HunkActions | undefined }) {
  const { added, deleted } = hunk
  return (
    <div class="hunk" data-row tabIndex={-1}>
      {of === 1 && hunk.place === '' && actions === undefined ? null : (
        <p class="hunk-h small">
          {hunk.place === '' ? null : <code class="cut">{hunk.place}</code>}
          {of === 1 ? null : <span class="faint nowrap">{toolWords.value.hunk(at + 1, of)}</span>}
          <Changed added={added} deleted={deleted} />
          {actions?.buttons(hunk, at)}
        </p>
      )}
      {actions?.isFolded(hunk) === true ? null : (
        // biome-ignore lint/a11y/noNoninteractiveTabindex: what scrolls sideways is reached by the keyboard
        <div class="code dif" dir="ltr" tabIndex={0}>
          {hunk.lines.map((line, index) => (
            <Line key={index} line={line} />
          ))}
        </div>
      )}
    </div>
  )
}

export function Changed({ added, deleted }: { added: number; deleted: number }) {
  return (
    <span class="num chgs">
      {added > 0 ? <span class="good">+{added}</span> : null}
      {deleted > 0 ? <span class="bad">−{deleted}</span> : null}
    </span>
  )
}

/** Of a session; of very many files how many they are. */
export function SessionChanges({ changes }: { changes: ChangeCounts | undefined }) {
  if (changes === undefined || changes.files === 0) return <span class="faint">—</span>
  if (changes.additions === undefined)
    return <span class="nowrap">{panelWords.value.changes.files(changes.files)}</span>
  return <Changed added={changes.additions} deleted={changes.deletions ?? 0} />
}

export function PatchView({ patch, actions }: { patch: string; actions?: HunkActions }) {
  const hunks = useMemo(() => readPatch(patch), [patch])
  return (
    <>
      {hunks.map((hunk, at) => (
        <HunkView key={at} hunk={hunk} at={at} of={hunks.length} actions={actions} />
      ))}
    </>
  )
}
