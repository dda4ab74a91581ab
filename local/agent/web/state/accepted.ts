/** Hunks that the owner has looked at and keeps: they are folded away, in this browser. One that changes is unseen again. */
import { signal } from '@preact/signals'
import { recall, remember } from '#shared/pages/preferences.ts'
import { type Hunk, withMark } from '../model/patch.ts'

const key = 'agent-ui.accepted'

export const accepted = signal<ReadonlySet<string>>(new Set(kept()))

function kept(): readonly string[] {
  const marks: unknown = JSON.parse(recall(key) ?? '[]')
  return Array.isArray(marks) ? marks.filter((mark) => typeof mark === 'string') : []
}

export function setAccepted(mark: string, isAccepted: boolean): void {
  accepted.value = withMark(accepted.peek(), mark, isAccepted)
  remember(key, accepted.value.size === 0 ? undefined : JSON.stringify([...accepted.value]))
}

/** Session, file and what the hunk does, but not where: lines above it may come and go. */
export function hunkMark(session: string, path: string, { lines }: Hunk): string {
  const text = JSON.stringify([session, path, lines.map(({ kind, text: line }) => kind + line)])
  return `${session}:${hash(text, 0x811c9dc5)}${hash(text, 0x01000193)}`
}

/** FNV-1a of 32 bits. */
function hash(text: string, seed: number): string {
  let value = seed
  for (let at = 0; at < text.length; at += 1) value = Math.imul(value ^ text.charCodeAt(at), 0x01000193)
  return (value >>> 0).toString(36)
}
