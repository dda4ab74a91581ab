/** A trail while it is edited: hops in order, each with a note of its own. Pure. */
import type { SavedTrail, SavedTrailHop } from '../../contract/wire.ts'
import type { Step } from './reading-trail.ts'

export const nameCharsMax = 120
/** The server keeps one note a trail; the notes of the hops are lines of it. */
export const noteCharsMax = 600

export interface EditedHop {
  readonly id: string
  readonly name: string
  readonly dir: SavedTrailHop['dir']
  /** The hop it was reached from; next to any other it is a jump. */
  readonly after: string | undefined
  readonly note: string
}

export function editSteps(steps: readonly Step[], nameOf: (id: string) => string | undefined): EditedHop[] {
  return steps.map(({ id, dir }, at) => ({
    id,
    name: nameOf(id) ?? id,
    dir,
    after: steps[at - 1]?.id,
    note: '',
  }))
}

/** Hops that the index has no more cannot be saved again and are left out. */
export function editSaved(trail: SavedTrail): { hops: EditedHop[]; note: string; lost: number } {
  const { general, ofHops } = readNotes(trail.note, trail.hops.length)
  const hops: EditedHop[] = []
  for (const [at, hop] of trail.hops.entries()) {
    if (hop.id === null) continue
    const { id, name, dir } = hop
    hops.push({ id, name, dir, after: trail.hops[at - 1]?.id ?? undefined, note: ofHops[at] ?? '' })
  }
  return { hops, note: general, lost: trail.hops.length - hops.length }
}

export function moveHop(hops: readonly EditedHop[], from: number, to: number): EditedHop[] {
  const moved = hops[from]
  if (moved === undefined || to < 0 || to >= hops.length) return [...hops]
  const rest = hops.filter((_hop, at) => at !== from)
  return [...rest.slice(0, to), moved, ...rest.slice(to)]
}

export function removeHop(hops: readonly EditedHop[], at: number): EditedHop[] {
  return hops.filter((_hop, place) => place !== at)
}

export function noteHop(hops: readonly EditedHop[], at: number, note: string): EditedHop[] {
  return hops.map((hop, place) => (place === at ? { ...hop, note } : hop))
}

/** As the server takes them: a direction holds only beside the hop it was taken from. */
export function stepsOf(hops: readonly EditedHop[]): Step[] {
  return hops.map((hop, at) => ({
    id: hop.id,
    dir: at > 0 && hop.after === hops[at - 1]?.id ? hop.dir : 'start',
  }))
}

const hopLine = /^\[([1-9][0-9]?)\] (.*)$/

/** Lines such as `[2] takes the lease` are notes of hops; the others are the trail's own. */
export function readNotes(note: string, hops: number): { general: string; ofHops: readonly string[] } {
  const ofHops = new Array<string>(hops).fill('')
  const general: string[] = []
  for (const line of note.split('\n')) {
    const [, number, text] = hopLine.exec(line) ?? []
    const at = Number(number) - 1
    if (text !== undefined && at < hops && ofHops[at] === '') ofHops[at] = text
    else general.push(line)
  }
  return { general: general.join('\n').trim(), ofHops }
}

export function writeNotes(general: string, ofHops: readonly string[]): string {
  // A line of the trail's own note that looks like a hop's is set apart by a space.
  const own = general
    .trim()
    .split('\n')
    .map((line) => (hopLine.test(line) ? ` ${line}` : line))
    .join('\n')
  const lines = ofHops.flatMap((text, at) => {
    const line = text.replace(/\s+/g, ' ').trim()
    return line === '' ? [] : [`[${at + 1}] ${line}`]
  })
  return [...(own === '' ? [] : [own]), ...lines].join('\n')
}

export interface MarkdownWords {
  readonly by: (author: string, date: string) => string
  readonly status: Readonly<Record<SavedTrailHop['status'], string>>
  readonly movedFrom: (place: string) => string
  readonly directions: Readonly<Record<SavedTrailHop['dir'], string>>
}

/** What would otherwise be read as Markdown or HTML. */
function escaped(text: string): string {
  return text.replace(/[\\`*_[\]<>|#~]/g, (letter) => `\\${letter}`)
}

function code(text: string): string {
  const fence = '`'.repeat(1 + Math.max(0, ...[...text.matchAll(/`+/g)].map(([run]) => run.length)))
  return fence.length === 1 ? `\`${text}\`` : `${fence} ${text} ${fence}`
}

/** A trail to paste into an issue or a note: names, places, notes, and what became of each hop. */
export function trailMarkdown(trail: SavedTrail, words: MarkdownWords): string {
  const { general, ofHops } = readNotes(trail.note, trail.hops.length)
  const lines = [`# ${escaped(trail.name)}`, '', words.by(escaped(trail.author), trail.updatedAt.slice(0, 10))]
  if (general !== '') lines.push('', ...general.split('\n').map(escaped))
  lines.push('')
  for (const [at, hop] of trail.hops.entries()) {
    const saved = `${hop.savedFile}:${hop.savedLine}`
    const place = hop.file === null ? saved : `${hop.file}:${hop.line ?? hop.savedLine}`
    const facts = [
      ...(at === 0 ? [] : [words.directions[hop.dir]]),
      ...(hop.status === 'ok' ? [] : [words.status[hop.status]]),
      ...(place === saved ? [] : [words.movedFrom(saved)]),
    ].filter((fact) => fact !== '')
    const told = facts.length === 0 ? '' : `; ${facts.join('; ')}`
    lines.push(`${at + 1}. ${code(hop.qualifiedName)} (${hop.kind}), ${code(place)}${told}`)
    const note = ofHops[at] ?? ''
    if (note !== '') lines.push('', `   ${escaped(note)}`, '')
  }
  return `${lines.join('\n').trim()}\n`
}
