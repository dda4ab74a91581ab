/** How many lines of each file and folder hold what was searched last: the tree of files shows them until they are put away. */
import { signal } from '@preact/signals'
import type { TextAnswer } from '../../contract/wire.ts'

export interface FoundLines {
  readonly text: string
  /** Of the search, with all that was asked. */
  readonly address: string
  readonly lines: number
  /** There are more than these. */
  readonly isCut: boolean
  /** By file and by folder, a folder without a slash behind it. */
  readonly at: ReadonlyMap<string, number>
}

export const foundLines = signal<FoundLines | undefined>(undefined)

export function countFound(answer: TextAnswer, address: string): FoundLines | undefined {
  const { files, shown, truncated, query } = answer
  if (files.length === 0) return undefined
  const at = new Map<string, number>()
  for (const { file, lines } of files)
    for (let end = file.length; end > 0; end = file.lastIndexOf('/', end - 1)) {
      const place = file.slice(0, end)
      at.set(place, (at.get(place) ?? 0) + lines.length)
    }
  const isCut = truncated || files.some((one) => one.truncated)
  return { text: query.text, address, lines: shown.lines, isCut, at }
}
