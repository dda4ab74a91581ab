/** What a search box's text asks for. Pure. */

/** `a to b`, `a -> b`, `how does a reach b`, `从 a 到 b`: a path between two symbols, not a name. */
export function pathAsked(text: string): { readonly from: string; readonly to: string } | undefined {
  const found =
    /^how does\s+(\S+)\s+reach\s+(\S+?)\??$/i.exec(text.trim()) ??
    /^(?:从\s*)?(\S+)\s*(?:\s+to\s+|->|→|\s+到\s+)\s*(\S+)$/i.exec(text.trim())
  const [, from, to] = found ?? []
  return from === undefined || to === undefined || from === to ? undefined : { from, to }
}

function tokensOf(text: string): string[] {
  return text.match(/(?:[^\s"]|"[^"]*")+/g) ?? []
}

export function hasToken(text: string, token: string): boolean {
  return tokensOf(text).includes(token)
}

/** Adds a filter such as `kind:class`, or takes it away. */
export function toggleToken(text: string, token: string): string {
  const tokens = tokensOf(text)
  return (tokens.includes(token) ? tokens.filter((one) => one !== token) : [...tokens, token]).join(' ')
}

/** A value with spaces keeps them in quotes. */
export function filterToken(key: 'kind' | 'lang' | 'path' | 'name', value: string): string {
  return /\s/.test(value) ? `${key}:"${value}"` : `${key}:${value}`
}

/** Parts of `name` in turn plain and matching, for showing what was found; case does not count. */
export function matchParts(
  name: string,
  wanted: string,
): readonly { readonly text: string; readonly isMatch: boolean }[] {
  const needle = wanted.trim().toLowerCase()
  const at = needle === '' ? -1 : name.toLowerCase().indexOf(needle)
  if (at === -1) return [{ text: name, isMatch: false }]
  return [
    { text: name.slice(0, at), isMatch: false },
    { text: name.slice(at, at + needle.length), isMatch: true },
    { text: name.slice(at + needle.length), isMatch: false },
  ].filter((part) => part.text !== '')
}
