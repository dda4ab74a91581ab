/** Where something of a library lies: names that every file system takes, below a folder that the owner chose. */
import { failWith, type Result, succeed } from '#shared/kernel/result.ts'
import type { Reason } from '../reason/reason.ts'

interface LibraryTitle {
  readonly title: string
  /** Undefined while it is not known. */
  readonly year?: number
  readonly tmdbId: number
  /** Of a series; undefined for a film. */
  readonly season?: number
}

const windowsRoot = /^(?:[A-Za-z]:[\\/]|\\\\[^\\/]+[\\/]+[^\\/]+[\\/]?)/
const upwards = /^\.{1,2}$/

/** The folder as it is kept, or why it is none. */
export function parseLibraryPath(text: string, bytesMax: number): Result<string, Reason> {
  const path = text.trim()
  if (/\p{C}/u.test(path)) return failWith({ kind: 'path.control' })
  if (byteLength(path) > bytesMax) return failWith({ kind: 'path.too_long', limit: bytesMax })
  const root = path.startsWith('/') ? '/' : windowsRoot.exec(path)?.[0]
  if (root === undefined) return failWith({ kind: 'path.relative' })
  if (root === '/' && path.includes('\\')) return failWith({ kind: 'path.backslash' })
  const slash = root === '/' ? '/' : '\\'
  const names = path
    .slice(root.length)
    .split(/[\\/]/)
    .filter((name) => name !== '')
  if (names.some((name) => upwards.test(name))) return failWith({ kind: 'path.upwards' })
  // Everything would lie beside the system's own folders.
  if (names.length === 0 && root.startsWith('\\\\') === false) return failWith({ kind: 'path.root' })
  const start = root.replaceAll('/', slash).replace(/\\+$/, '')
  return succeed(`${start === '/' ? '' : start}${names.map((name) => slash + name).join('')}`)
}

/** `<path>/<Title (Year)>`, and below it the season of a series. */
export function libraryFolder(path: string, title: LibraryTitle, folderBytesMax: number): string {
  const slash = path.startsWith('/') ? '/' : '\\'
  const season = title.season === undefined ? [] : [`Season ${String(title.season).padStart(2, '0')}`]
  return [path, titleFolder(title, folderBytesMax), ...season].join(slash)
}

function titleFolder({ title, year, tmdbId }: LibraryTitle, bytesMax: number): string {
  const ending = year === undefined ? '' : ` (${year})`
  const name = cleanName(title, bytesMax - byteLength(ending)) || `TMDB ${tmdbId}`
  return ending === '' && isDevice.test(name) ? `${name}_` : name + ending
}

/** Names that one of the systems keeps for devices, with any ending. */
const isDevice = /^(?:con|prn|aux|nul|com\d|lpt\d)(?:\.|$)/i

/** Without what a file system refuses, hides or reads as something else; cut between characters. */
function cleanName(text: string, bytesMax: number): string {
  const plain = text
    .normalize('NFC')
    .replace(/[/\\:*?"<>|\s]+/g, ' ')
    .replace(/[\p{C}\p{Zl}\p{Zp}]/gu, '')
    .replace(/ {2,}/g, ' ')
  return trimEnds(cutToBytes(trimEnds(plain), bytesMax))
}

/** A dot in front hides a folder; one at the end, or a space, is dropped by some systems. */
function trimEnds(name: string): string {
  let start = 0
  let end = name.length
  while (start < end && isEdge(name[start])) start += 1
  while (end > start && isEdge(name[end - 1])) end -= 1
  return name.slice(start, end)
}

function isEdge(character: string | undefined): boolean {
  return character === '.' || character === ' '
}

function cutToBytes(text: string, bytesMax: number): string {
  let bytes = 0
  let cut = ''
  for (const character of text) {
    bytes += byteLength(character)
    if (bytes > bytesMax) break
    cut += character
  }
  return cut
}

function byteLength(text: string): number {
  return new TextEncoder().encode(text).byteLength
}
