import { matchesWildcard } from '#shared/kernel/wildcard.ts'

/** A pattern that ends in ` *` also matches what is before the blank, so that `git status *` covers the bare command. */
export function coversCommand(pattern: string, text: string): boolean {
  return matchesWildcard(pattern, text) || (pattern.endsWith(' *') && matchesWildcard(pattern.slice(0, -2), text))
}
