/** Places in the line of a release that are no part of its name. */
export interface Mark {
  readonly start: number
  readonly end: number
}

/** All of them, by the pattern itself: a list of matches by iterator would copy it for each text. */
export function matchesOf(pattern: RegExp, text: string): readonly RegExpExecArray[] {
  pattern.lastIndex = 0
  let match = pattern.exec(text)
  if (match === null) return none
  const found: RegExpExecArray[] = []
  for (; match !== null; match = pattern.exec(text)) found.push(match)
  return found
}

const none: readonly RegExpExecArray[] = []

export function inOrder<M extends Mark>(marks: readonly M[]): M[] {
  return marks.toSorted((left, right) => left.start - right.start)
}

export function markOf(match: RegExpExecArray): Mark {
  return { start: match.index, end: match.index + match[0].length }
}
