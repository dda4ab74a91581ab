/** Regular expressions over titles: those of definitions, without what keeps them from linear time. */
import { compilePattern, type Pattern, PatternTooCostly } from '../cardigann/pattern.ts'
import { PatternFault, type PatternNode, parsePattern } from '../cardigann/pattern-syntax.ts'

/** A program stays some thousand places long, whatever the pattern repeats. */
const repeatsMax = 100

/** False for what nobody can read, looks around, names a group again or repeats repeats. */
export function isTitlePattern(source: string): boolean {
  try {
    return isLinear(parsePattern(source).root, 1)
  } catch (error) {
    if (error instanceof PatternFault) return false
    throw error
  }
}

function isLinear(node: PatternNode, repeats: number): boolean {
  switch (node.kind) {
    case 'look':
    case 'back':
      return false
    case 'sequence':
      return node.parts.every((part) => isLinear(part, repeats))
    case 'choice':
      return node.options.every((option) => isLinear(option, repeats))
    case 'repeat': {
      const most = repeats * Math.max(1, node.min, Number.isFinite(node.max) ? node.max : 1)
      return most <= repeatsMax && isLinear(node.body, most)
    }
    case 'group':
    case 'atomic':
      return isLinear(node.body, repeats)
    default:
      return true
  }
}

export function titlePattern(source: string): (title: string) => boolean {
  let pattern: Pattern | undefined
  return (title) => {
    pattern ??= compilePattern(`(?i:${source})`)
    try {
      return pattern.match(title) !== undefined
    } catch (error) {
      // Beyond its bound it fits nothing: a strange title stops no run.
      if (error instanceof PatternTooCostly) return false
      throw error
    }
  }
}
