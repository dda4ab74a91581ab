/** Who looks after a file, by the list that forges read (CODEOWNERS): the last line that fits a path decides. */
import { isIgnored, parseIgnoreRules } from '../../indexer/core/ignore-rules.ts'

/** Where such a list may lie; the first that is there counts. */
export const ownersFiles = ['.github/CODEOWNERS', 'CODEOWNERS', 'docs/CODEOWNERS', '.gitlab/CODEOWNERS'] as const

/** Lines of a list and wildcards of one of them; what is beyond is passed over. */
export const ownerRulesMax = 5000
export const ownerWildcardsMax = 6

export type OwnersOf = (path: string) => readonly string[]

export function ownersIn(text: string): OwnersOf {
  const rules = text
    .split('\n')
    .flatMap((line) => ruleOf(line.trim()) ?? [])
    .slice(0, ownerRulesMax)
    .reverse()
  return (path) => rules.find((one) => one.fits(path))?.owners ?? []
}

function ruleOf(line: string): { fits: (path: string) => boolean; owners: readonly string[] } | undefined {
  // Headings of sections have no paths, and these lists know no exceptions.
  if (line === '' || /^(#|!|\^?\[)/.test(line)) return undefined
  const [written = '', ...owners] = line.replace(/\s#.*$/, '').split(/(?<!\\)\s+/)
  const pattern = written.replaceAll('\\ ', ' ').replace(/(?:\*\*\/)+/g, '**/')
  // Each wildcard more multiplies what one path may cost.
  if (pattern.replaceAll('**', '*').split('*').length - 1 > ownerWildcardsMax) return undefined
  const rules = parseIgnoreRules(pattern)
  const [rule] = rules
  if (rule === undefined) return undefined
  // Other than in a list of what is ignored, `docs/*` holds what lies in the folder itself.
  const isFlat = pattern.endsWith('/*')
  return { fits: (path) => (isFlat ? rule.pattern.test(path) : isIgnored(path, rules)), owners: owners.filter(isOwner) }
}

function isOwner(word: string): boolean {
  return word.includes('@')
}
