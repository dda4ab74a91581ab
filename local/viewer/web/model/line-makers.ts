/** Who made each line of a file, as it stands beside the lines. */
import type { BlameAnswer } from '../../contract/wire.ts'

export interface LineMaker {
  readonly name: string
  readonly day: string
  readonly title: string
  /** How recent it is among the changes of the file, from 10 to 100. */
  readonly share: number
  /** Whether a piece that one change made begins here. */
  readonly isFirst: boolean
}

interface MakerWords {
  readonly notCommitted: string
  readonly made: (name: string, day: string, subject: string, id: string) => string
}

export function lineMakers({ commits, parts }: BlameAnswer, words: MakerWords): Map<number, LineMaker> {
  const times = [...new Set(commits.flatMap((one) => one.at ?? []))].sort((left, right) => left - right)
  const makers = commits.map(({ id, name, at, subject }) => {
    const day = at === null ? '' : dayOf(at)
    if (id === null) return { name: words.notCommitted, day, title: words.notCommitted, share: 100 }
    const rank = at === null ? 0 : times.indexOf(at)
    const share = Math.round(10 + (times.length < 2 ? 45 : (rank / (times.length - 1)) * 90))
    return { name, day, title: words.made(name, day, subject, id), share }
  })
  const byLine = new Map<number, LineMaker>()
  for (const { from, to, commit } of parts) {
    const maker = makers[commit]
    if (maker === undefined) continue
    for (let line = from; line <= to; line += 1) byLine.set(line, { ...maker, isFirst: line === from })
  }
  return byLine
}

/** The day where the reader is, written the same in every language. */
function dayOf(atMs: number): string {
  const at = new Date(atMs)
  const two = (value: number): string => String(value).padStart(2, '0')
  return `${at.getFullYear()}-${two(at.getMonth() + 1)}-${two(at.getDate())}`
}
