/** Vue and Svelte files: their script blocks, and the components and functions their markup names. */
import type { FileFacts } from '../core/facts.ts'
import type { Language } from '../core/vocabulary.ts'
import { FactBuilder } from './fact-builder.ts'
import { extractScript } from './script/read-script.ts'

const scriptBlock = /(<script\b[^>]*>)([\s\S]*?)<\/script\s*>/gi
const styleBlock = /<style\b[^>]*>[\s\S]*?<\/style\s*>/gi
const tag = /<([A-Z][\w.]*|[a-z][\w]*(?:-[\w]+)+)/g
const boundExpression =
  /(?:[:@]|v-|on:|bind:|use:)[\w.:-]+=(?:"([^"]*)"|'([^']*)'|\{([^}]*)\})|\{\{([^}]*)\}\}|\{([^{}#/:@][^{}]*)\}/g

export function extractComponentFile(path: string, language: Language, text: string): FileFacts {
  const builder = new FactBuilder(path, language, text)
  // What is no script becomes blanks: every line and column stays where it is.
  let script = ''
  let markup = ''
  let at = 0
  for (const match of text.matchAll(scriptBlock)) {
    const [whole, open = '', body = ''] = match
    const start = match.index + open.length
    script += blank(text.slice(at, start)) + body
    markup += text.slice(at, match.index) + blank(whole)
    at = start + body.length
    script += blank(text.slice(at, match.index + whole.length))
    at = match.index + whole.length
  }
  script += blank(text.slice(at))
  markup = (markup + text.slice(at)).replace(styleBlock, blank)
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
  const refer = (name: string, offset: number, kind: 'calls' | 'references'): void => {
    const target = known.get(name)
    if (target === undefined) return
    const before = markup.slice(0, offset)
    builder.references.push({
      from: component,
      kind,
      value: 's' in target ? { k: 'sym', s: target.s } : { k: 'imp', m: target.m, n: target.n },
      name,
      line: before.split('\n').length,
      col: offset - (before.lastIndexOf('\n') + 1),
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
