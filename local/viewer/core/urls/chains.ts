/** What a call hangs on, read backwards from its dot: `app.route('/a', a)` before `.route('/b', b)` begins with `app`. */

export interface Chain {
  /** Where it begins. */
  readonly start: number
  readonly text: string
  /** The name it begins with, with what that is reached through; empty where a router is made on the spot. */
  readonly head: string
  /** The name that the outcome is given. */
  readonly assigned: string | undefined
}

const wordSign = /[\w$?!]/
/** A chain that is longer is none that anybody wrote. */
const chainCharsMax = 20_000
const headName = /^\$?[\w$]+(?:(?:\.|->)\$?[\w$]+)*(?![\w$]|::|\s*[(<])/
const givenName = /([A-Za-z_$][\w$]*)\s*(?::\s*[^=;\n]{1,80}?)?\s*:?=\s*(?:await\s+|new\s+)*$/

/** `dot` is where what separates the call from the chain stands. */
export function chainBefore(text: string, dot: number): Chain {
  let at = dot
  const least = Math.max(0, dot - chainCharsMax)
  for (;;) {
    at = backOverSpace(text, at)
    if (text[at - 1] === ')') at = openingOf(text, at - 1, least)
    while (at > least && wordSign.test(text[at - 1] ?? '')) at -= 1
    const before = backOverSpace(text, at)
    const link = /(?:\?\.|->|::|\.)$/.exec(text.slice(Math.max(0, before - 2), before))?.[0]
    if (link === undefined || before - link.length <= least) break
    at = before - link.length
  }
  return chainFrom(text, at, dot)
}

/** A chain that begins at a place and goes up to another. */
export function chainFrom(text: string, start: number, end: number): Chain {
  const own = text.slice(start, end)
  const before = text.slice(Math.max(0, start - 200), start)
  const isMade = /\bnew\s+$/.test(before)
  return {
    start,
    text: own,
    head: isMade ? '' : (headName.exec(own)?.[0] ?? ''),
    assigned: givenName.exec(before)?.[1],
  }
}

export interface Argument {
  readonly at: number
  readonly text: string
}

/** What a call is given, whose bracket opens at a place. */
export function argumentsOf(text: string, open: number, end: number): Argument[] {
  const found: Argument[] = []
  let depth = 0
  let from = open + 1
  const take = (to: number): void => {
    const written = text.slice(from, to)
    if (written.trim() !== '') found.push({ at: to - written.trimStart().length, text: written.trim() })
    from = to + 1
  }
  for (let at = open; at < end; at += 1) {
    const sign = text[at] ?? ''
    if ('([{'.includes(sign)) depth += 1
    else if (')]}'.includes(sign)) depth -= 1
    else if (sign === ',' && depth === 1) take(at)
  }
  take(end)
  return found
}

function backOverSpace(text: string, from: number): number {
  let at = from
  while (at > 0 && /\s/.test(text[at - 1] ?? '')) at -= 1
  return at
}

function openingOf(text: string, close: number, least: number): number {
  let depth = 0
  for (let at = close; at >= least; at -= 1) {
    const sign = text[at]
    if (sign === ')') depth += 1
    else if (sign === '(') {
      depth -= 1
      if (depth === 0) return at
    }
  }
  return close
}
