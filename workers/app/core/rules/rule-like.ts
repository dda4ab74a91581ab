/** What a rule would ask for that takes a torrent and what is like it: where its owner begins, and not where they must end. */
import { gibBytes } from '../gib-bytes.ts'
import { foldName } from '../media/fold-name.ts'
import { readReleaseName } from '../media/release-name.ts'
import { isFree } from '../site.ts'
import { type Candidate, type RuleCondition, theFree } from './filter-rule.ts'

export interface RuleBounds {
  readonly nameCharactersMax: number
  readonly wordsMax: number
  readonly wordCharactersMax: number
}

export interface RuleStart {
  readonly name: string
  readonly conditions: readonly RuleCondition[]
}

/** Of a series every episode, so neither its numbers nor its group are asked for. */
export function ruleLike(
  told: Pick<Candidate, 'title' | 'subtitle' | 'sizeBytes' | 'promotion'>,
  bounds: RuleBounds,
): RuleStart {
  const release = readReleaseName(told.title, told.subtitle)
  const words = wordsOfName(told.title, release.names)
  const { resolution } = release.quality
  const asked = words.slice(0, bounds.wordsMax).map((word) => [...word].slice(0, bounds.wordCharactersMax).join(''))
  return {
    name: [...words.join(' ')].slice(0, bounds.nameCharactersMax).join('').trim(),
    conditions: [
      { field: 'title', op: 'has_all', value: asked },
      ...(release.year === undefined || release.seasons !== undefined || release.episodes !== undefined
        ? []
        : [{ field: 'year', op: 'at_least', value: release.year } as const]),
      ...(resolution === undefined ? [] : [{ field: 'resolution', op: 'is_any', value: [resolution] } as const]),
      ...(isFree(told.promotion) ? [{ field: 'promotion', op: 'is_any', value: theFree } as const] : []),
      ...(told.sizeBytes === undefined || told.sizeBytes === 0
        ? []
        : [{ field: 'size_gib', op: 'at_most', value: Math.ceil(told.sizeBytes / gibBytes) } as const]),
    ],
  }
}

const between = /[\s._()[\]【】]+/u

/** The longest that it may go by, as the title writes it; the whole title where nobody can tell its name. */
function wordsOfName(title: string, names: readonly string[]): string[] {
  const words = title.split(between).filter((word) => word !== '')
  for (let start = 0; start < words.length; start += 1)
    for (let end = words.length; end > start; end -= 1)
      if (names.includes(foldName(words.slice(start, end).join(' ')))) return words.slice(start, end)
  return words.length === 0 ? [title] : words
}
