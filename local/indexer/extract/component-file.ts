/** Vue and Svelte files: their script blocks, and the components and functions their markup names. */
import type { FileFacts } from '../core/facts.ts'
import { LineTable } from '../core/line-table.ts'
import type { Language } from '../core/vocabulary.ts'
import { FactBuilder } from './fact-builder.ts'
import { extractScript } from './script/read-script.ts'

const tag = /<([A-Z][\w.]*|[a-z][\w]*(?:-[\w]+)+)/g
const boundExpression =
  /(?:[:@]|v-|on:|bind:|use:)[\w.:-]+=(?:"([^"]*)"|'([^']*)'|\{([^}]*)\})|\{\{([^}]*)\}\}|\{([^{}#/:@][^{}]*)\}/g

export function extractComponentFile(path: string, language: Language, text: string): FileFacts {
  const builder = new FactBuilder(path, language, text)
  // What is no script becomes blanks: every line and column stays where it is.
  let script = ''
  let markup = ''
  let at = 0
  for (const { start, bodyStart, bodyEnd, end } of taggedBlocks(text, 'script')) {
    script += blank(text.slice(at, bodyStart)) + text.slice(bodyStart, bodyEnd)
    markup += text.slice(at, start) + blank(text.slice(start, end))
    script += blank(text.slice(bodyEnd, end))
    at = end
  }
  script += blank(text.slice(at))
  markup = withoutStyles(markup + text.slice(at))
  extractScript(path, language, script, builder)
  const base = path.slice(path.lastIndexOf('/') + 1)
  const lines = text.split('\n')
  const component = builder.addSymbol({
    kind: 'component',
    name: base.slice(0, base.lastIndexOf('.')),
    parent: 0,
    line: 1,
    col: 0,
    endLine: Math.max(1, lines.length - (lines.at(-1) === '' ? 1 : 0)),
    endCol: 0,
  })
  builder.symbol(component).exported = true
  builder.exports.unshift({ name: 'default', value: { k: 'sym', s: component } })
  referMarkup(builder, component, markup)
  return builder.build()
}

interface TaggedBlock {
  readonly start: number
  readonly bodyStart: number
  readonly bodyEnd: number
  readonly end: number
}

/** What stands between a tag and its end, in order. Each place of the text is looked at once, also where no end comes. */
function* taggedBlocks(text: string, name: 'script' | 'style'): Generator<TaggedBlock> {
  const opening = new RegExp(`<${name}\\b`, 'gi')
  const closing = new RegExp(`</${name}\\s*>`, 'gi')
  for (let open = opening.exec(text); open !== null; open = opening.exec(text)) {
    const bodyStart = text.indexOf('>', open.index) + 1
    if (bodyStart === 0) return
    closing.lastIndex = bodyStart
    const close = closing.exec(text)
    // What has no end here has none further on.
    if (close === null) return
    yield { start: open.index, bodyStart, bodyEnd: close.index, end: closing.lastIndex }
    opening.lastIndex = closing.lastIndex
  }
}

function withoutStyles(markup: string): string {
  let kept = ''
  let at = 0
  for (const { start, end } of taggedBlocks(markup, 'style')) {
    kept += markup.slice(at, start) + blank(markup.slice(start, end))
    at = end
  }
  return kept + markup.slice(at)
}

function blank(text: string): string {
  return text.replace(/[^\n\r]/g, ' ')
}

function referMarkup(builder: FactBuilder, component: number, markup: string): void {
  const known = new Map<string, { s: number } | { m: string; n: string }>()
  builder.symbols.forEach((symbol, s) => {
    if (s > 0 && symbol.parent === 0 && (symbol.kind === 'function' || symbol.kind === 'component') && s !== component)
      known.set(symbol.name, { s })
  })
  for (const fact of builder.importedNames) known.set(fact.local, { m: fact.specifier, n: fact.imported })
  const lines = new LineTable(markup)
  const refer = (name: string, offset: number, kind: 'calls' | 'references'): void => {
    const target = known.get(name)
    if (target === undefined) return
    builder.addReference({
      from: component,
      kind,
      value: 's' in target ? { k: 'sym', s: target.s } : { k: 'imp', m: target.m, n: target.n },
      name,
      line: lines.line(offset),
      col: lines.column(offset),
    })
  }
  for (const match of markup.matchAll(tag)) {
    const name = (match[1] ?? '').replace(/(^|-)(\w)/g, (_all, dash: string, letter: string) =>
      dash === '' && /[a-z]/.test(letter) && !(match[1] ?? '').includes('-') ? letter : letter.toUpperCase(),
    )
    refer(name, match.index, 'calls')
  }
  for (const match of markup.matchAll(boundExpression)) {
    const expression = match.slice(1).find((one) => one !== undefined) ?? ''
    for (const word of expression.matchAll(/(?<![.\w$'"`])([A-Za-z_$][\w$]*)\s*(\()?/g)) {
      refer(word[1] ?? '', match.index, word[2] === '(' ? 'calls' : 'references')
    }
  }
}
