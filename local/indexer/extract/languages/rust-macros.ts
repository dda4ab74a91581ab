/** Macros of Rust: the items, functions and expressions that are written in them. */
import type { TreeNode } from '../tree/tree-node.ts'
import { field, named } from './shapes.ts'
import type { Opened, TreeVisitor } from './tree-language.ts'

/** Tables that are written as one macro are passed over. */
const macroCharsMax = 20_000
/** How deep brackets are looked into of what a macro is given. */
const bracketsDepthMax = 2

/** Macros that hand on the items they are given. */
const itemMacro = /^[ \t]*(?:\w+::)*(?:pin_project|cfg_\w+)!\s*\{/gm

/** How the items begin that a macro may be given; each comment before them can be read in one way only. */
const beginsWithItem =
  /^(?:\s|\/\/[^\n]*\n|\/\*(?:[^*]|\*(?!\/))*\*\/|#\[[^\]]*\])*(?:pub\b|(?:unsafe |async |const )*(?:fn|impl|trait)\b|(?:struct|enum|union|mod|use|type|const|static|extern)\s)/

/** What a macro that makes a trait is told beside its items, on a line of its own. */
const mark = /^[ \t]*@\w+(?:[ \t]+(?:\w+|\[[^\]\n]*\]))?[ \t]*$/gm

/** `if #[…] { … } else { … }`, as macros have it that choose items by a condition. */
const branch = /(?:\s|\/\/[^\n]*\n)*(?:else\s*)?(?:if\s*#\[(?:[^[\]]|\[[^\]]*\])*\]\s*)?\{/y

/** What stands in braces after such a macro is read as if it stood there without it. */
export function withItemsOfMacros(text: string): string {
  let plain = ''
  let done = 0
  for (const { index, 0: head } of text.matchAll(itemMacro)) {
    if (index < done) continue
    const start = index + head.length
    const end = endOfBraces(text, start)
    if (end === undefined) break
    plain += text.slice(done, index) + head.replace(/[^\n]/g, ' ')
    plain += `${withItemsOfMacros(text.slice(start, end))} `
    done = end + 1
  }
  return plain + text.slice(done)
}

/**
 * What any other macro is given where items stand, as if it stood there without the macro: if it is all items for the grammar.
 * Nothing where there is no such macro.
 */
export function withItemsOfOtherMacros(root: TreeNode, text: string): readonly Opened[] {
  return macrosAmongItems(root).flatMap((macro): Opened[] => {
    const tree = named(macro).find((one) => one.type === 'token_tree')
    if (tree === undefined) return []
    const inside = { from: tree.startIndex + 1, to: tree.endIndex - 1 }
    const given = text.slice(inside.from, inside.to)
    const plain = /^(?:\s|\/\/[^\n]*\n)*if\s*#\[/.test(given)
      ? withBranches(given)
      : beginsWithItem.test(given)
        ? given
        : undefined
    if (plain === undefined) return []
    const isEnded = text[tree.endIndex] === ';'
    const blank = (part: string): string => part.replace(/[^\n]/g, ' ')
    return [
      {
        from: macro.startIndex,
        to: tree.endIndex + (isEnded ? 1 : 0),
        text: `${blank(text.slice(macro.startIndex, inside.from))}${plain.replace(mark, blank)}${isEnded ? '  ' : ' '}`,
      },
    ]
  })
}

function macrosAmongItems(node: TreeNode): TreeNode[] {
  return named(node).flatMap((one) => {
    if (one.type === 'macro_invocation') return [one]
    const isAround = /^(expression_statement|(mod|impl|trait)_item|declaration_list)$/.test(one.type)
    return isAround ? macrosAmongItems(one) : []
  })
}

/** The items of all branches; nothing where it is something else. */
function withBranches(text: string): string | undefined {
  let plain = ''
  let at = 0
  const { length } = text.trimEnd()
  while (at < length) {
    branch.lastIndex = at
    const head = branch.exec(text)?.[0]
    const end = head === undefined ? undefined : endOfBraces(text, at + head.length)
    if (head === undefined || end === undefined) return undefined
    plain += `${head.replace(/[^\n]/g, ' ')}${text.slice(at + head.length, end)} `
    at = end + 1
  }
  return plain + text.slice(at)
}

/** Where the brace closes that is open at a place. */
function endOfBraces(text: string, from: number): number | undefined {
  const token = /"(?:[^"\\]|\\[\s\S])*"|'(?:[^'\\\n]|\\.)'|\/\/[^\n]*|\/\*[\s\S]*?\*\/|[{}]/g
  token.lastIndex = from
  let open = 1
  for (let found = token.exec(text); found !== null; found = token.exec(text)) {
    if (found[0] === '{') open += 1
    else if (found[0] === '}') open -= 1
    if (open === 0) return found.index
  }
  return undefined
}

/** A macro of the same file that writes a function of the name it is given first. */
export function functionOfMacro(node: TreeNode, source: string): string | undefined {
  if (node.type !== 'macro_invocation' || /^(block|expression_statement)$/.test(node.parent?.parent?.type ?? ''))
    return undefined
  const macro = field(node, 'macro')?.text ?? ''
  const at = source.indexOf(`macro_rules! ${macro} {`)
  const rules = at === -1 ? '' : source.slice(at, endOfBraces(source, source.indexOf('{', at) + 1))
  const [, given = ''] = /\(\s*(?:\$\(#\[\$\w+:meta\]\)\*\s*)?\$(\w+):ident\b/.exec(rules) ?? []
  if (given === '' || !new RegExp(`\\bfn\\s+\\$${given}\\b`).test(rules)) return undefined
  const name = named(node)
    .find((one) => one.type === 'token_tree')
    ?.namedChildren.find((one) => one?.type !== 'line_comment')
  return name?.type === 'identifier' ? name.text : undefined
}

/**
 * What a macro that reads like a call, or like a block, is given; the grammar leaves it as bare words. Of what is neither and
 * stands where items do, what is in brackets in it and reads like one.
 */
export function macroArguments(visitor: TreeVisitor, tree: TreeNode): readonly TreeNode[] {
  const isOfMacro = tree.parent?.type === 'macro_invocation'
  if (!isOfMacro || tree.endIndex - tree.startIndex > macroCharsMax) return []
  return given(visitor, tree, 0)
}

function isAmongItems(macro: TreeNode | null): boolean {
  const around = macro?.parent?.type === 'expression_statement' ? macro.parent.parent : macro?.parent
  return around?.type === 'source_file' || around?.type === 'declaration_list'
}

function given(visitor: TreeVisitor, tree: TreeNode, depth: number): readonly TreeNode[] {
  const { row, column } = tree.startPosition
  // On a line of its own, in its column, behind one that is not of the file.
  const inner = `\n${' '.repeat(column + 1)}${tree.text.slice(1, -1)}`
  const how = { isAgain: depth > 0, rowsBefore: row - 1 }
  const call = visitor.parse(`fn f(){f(${inner})}`, how)
  if (call?.hasError === false) return named(field(call.root.firstOfType('call_expression') ?? call.root, 'arguments'))
  const block = visitor.parse(`fn f(){${inner}}`, how)
  if (block?.hasError === false) return named(block.root.firstOfType('block') ?? null)
  if (depth === bracketsDepthMax || (depth === 0 && !isAmongItems(tree.parent))) return []
  return named(tree).flatMap((one) => (one.type === 'token_tree' ? given(visitor, one, depth + 1) : []))
}
