/** Quietly at the end of the bar: which index this is, how old, and whether someone watches. */
import { useSignal } from '@preact/signals'
import { useEffect } from 'preact/hooks'
import { Icon, type IconName } from '#shared/pages/icon.tsx'
import { Note } from '#shared/pages/note.tsx'
import { drift, live } from '../live.ts'
import { grouped } from '../locales/numbers.ts'
import { words } from '../locales/words.ts'
import { ageOf } from '../model/age.ts'

function useNow(): number {
  const now = useSignal(Date.now())
  useEffect(() => {
    const timer = setInterval(() => {
      if (!document.hidden) now.value = Date.now()
    }, 30_000)
    return () => clearInterval(timer)
  }, [])
  return Math.max(now.value, Date.now())
}

function ageText(atMs: number, nowMs: number): string {
  const age = ageOf(atMs, nowMs)
  const text = words.value.age
  return age.unit === 'now' ? text.now : text[age.unit](age.value)
}

export function LiveStatus({ project, isNamed }: { project: string | undefined; isNamed: boolean }) {
  const now = useNow()
  const state = live.value
  const text = words.value.status
  let mark: { icon: IconName; tone: string } = { icon: 'm-on', tone: 'good' }
  let watch = text.watching
  if (state.stream === 'lost') {
    mark = { icon: 'm-bad', tone: 'bad' }
    watch = text.lost
  } else if (state.stream === 'connecting') {
    mark = { icon: 'm-guess', tone: 'faint' }
    watch = text.connecting
  } else if (!state.hasIndex) {
    mark = { icon: 'm-bad', tone: 'bad' }
    watch = text.noIndex
  } else if (state.degraded !== undefined) {
    mark = { icon: 'm-warn', tone: 'warn' }
    watch = text.stopped
  } else if (!state.watchesSource) {
    mark = { icon: 'm-off', tone: 'faint' }
    watch = text.notWatching
  } else if (drift.value.total > 0 || drift.value.scan) mark = { icon: 'm-part', tone: 'warn' }
  const indexed = state.lastIndexedAt === undefined ? undefined : text.indexed(ageText(state.lastIndexedAt, now))
  // The first answers are a moment away; a line that grew twice would pull the eye.
  const isNew = state.stream === 'connecting' || project === undefined
  const said = `${isNamed ? `${project ?? ''} · ` : ''}${indexed === undefined ? '' : `${indexed}${words.value.comma}`}${watch}`
  return (
    <span class={`live faint small${isNew ? ' new' : ''}`} role="status" title={state.degraded}>
      {/* Another text is another element: what grows to the left would else have moved. */}
      <span key={said}>
        <span class={mark.tone}>
          <Icon name={mark.icon} small />
        </span>{' '}
        <span class="wide-only">{said}</span>
      </span>
    </span>
  )
}

const namedMax = 5

/** Files that changed since they were indexed, and what to do about it. */
export function DriftNote() {
  const { files, total, scan } = drift.value
  if (files.size === 0 && !scan) return null
  const text = words.value.drift
  const named = [...files].slice(0, namedMax)
  return (
    <Note incomplete role="status" action={<code>indexer sync</code>}>
      {scan || files.size === 0 ? text.scan : text.files(total)}{' '}
      {scan
        ? null
        : named.map((file, at) => (
            <span key={file}>
              {at === 0 ? '' : ', '}
              <span class="mono">{file}</span>
            </span>
          ))}
      {!scan && total > named.length ? ` ${text.and(total - named.length)}` : ''}
      {scan ? '' : '. '}
      {text.hidden}
    </Note>
  )
}

/** Beside the name of a file or a symbol in it. */
export function DriftMark({ file, isDrifted }: { file: string; isDrifted?: boolean }) {
  if (isDrifted !== true && !drift.value.files.has(file)) return null
  return (
    <span class="tag guess" title={words.value.drift.markTitle}>
      {words.value.drift.mark}
    </span>
  )
}

export function driftCountText(): string | undefined {
  const { total, scan } = drift.value
  if (total === 0 && !scan) return undefined
  return `${scan && total === 0 ? '' : `${grouped(total)} `}${words.value.drift.mark}`
}
