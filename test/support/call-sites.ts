/** Places of a source text that read like calls, found without any parser of ours. */

export type SampledLanguage = 'rust' | 'php' | 'csharp' | 'ruby'

export interface CallSite {
  /** The first is 1. */
  readonly line: number
  /** Of the name; the first is 0. */
  readonly col: number
  readonly name: string
}

interface Form {
  /** What is no code: comments and strings. */
  readonly cut: RegExp
  /** A call, its name in `name`. */
  readonly calls: readonly RegExp[]
  /** What stands before a name that is declared and not called. */
  readonly declares: RegExp
  readonly keywords: ReadonlySet<string>
}

const words = (text: string): ReadonlySet<string> => new Set(text.split(' '))

const forms: Readonly<Record<SampledLanguage, Form>> = {
  rust: {
    cut: /\/\/[^\n]*|\/\*[\s\S]*?\*\/|b?r(#*)"[\s\S]*?"\1|b?"(?:[^"\\]|\\[\s\S])*"|b?'(?:[^'\\\n]|\\[^\n]+?)'/g,
    calls: [/(?<name>[A-Za-z_]\w*)(?:::<[^;{}()]*>)?\(/g, /(?<name>[A-Za-z_]\w*)!\s*[([{]/g],
    declares: /\bfn\s+$|[#!]\[\s*$|^\s*#!?\[.*$/,
    keywords: words('if while for match return fn let in move loop else as where pub crate super derive cfg'),
  },
  php: {
    cut: /\/\/[^\n]*|#(?!\[)[^\n]*|\/\*[\s\S]*?\*\/|<<<\s*(['"]?)(\w+)\1[\s\S]*?\n\s*\2\b|'(?:[^'\\]|\\[\s\S])*'|"(?:[^"\\]|\\[\s\S])*"/g,
    calls: [/(?<![$\w])(?<name>[A-Za-z_]\w*)\s*\(/g, /\bnew\s+\\?(?:\w+\\)*(?<name>[A-Za-z_]\w*)\b(?!\s*\()/g],
    declares: /\bfunction\s+&?\s*$/,
    keywords: words(
      'if while for foreach match switch catch return function fn array list isset empty unset echo print exit die declare use elseif and or not new class include include_once require require_once static self parent',
    ),
  },
  csharp: {
    cut: /\/\/[^\n]*|\/\*[\s\S]*?\*\/|^\s*#[^\n]*|"""[\s\S]*?"""|\$?@\$?"(?:[^"]|"")*"|\$?"(?:[^"\\\n]|\\.)*"|'(?:[^'\\\n]|\\.[^'\n]*)'/gm,
    calls: [
      /(?<![\w@])(?<name>[A-Za-z_]\w*)(?:<[\w\s,.?[\]<>]*>)?\(/g,
      /\bnew\s+(?:\w+\.)*(?<name>[A-Za-z_]\w*)\s*(?=\{)/g,
    ],
    // A name after another one, or after what a type ends with, is declared.
    declares:
      /(?:^|[^\w.])(?!(?:return|new|await|throw|in|else|yield|case|is|as|and|or|not|when|do|select|from|where|out|ref|nameof)\b)[A-Za-z_][\w.]*(?:<[\w\s,.?[\]<>()]*>)?(?:\[[\s,]*\]|\?)*\s+(?:\w+\.)*$|\bdelegate\s.*$|^\s*\[\s*$|^\s*(?:public|private|protected|internal|static)\s+(?:\w+\s+)*$/,
    keywords: words(
      'if while for foreach switch catch return using lock fixed nameof typeof sizeof default checked unchecked when base this is in not and or where stackalloc new var await throw params out ref get set init',
    ),
  },
  ruby: {
    cut: /^=begin[\s\S]*?^=end|<<[~-]?(['"]?)([A-Z_]+)\1[\s\S]*?\n\s*\2\b|'(?:[^'\\]|\\[\s\S])*'|"(?:[^"\\]|\\[\s\S])*"|`[^`\n]*`|%[wiqQWI]?([[({])[\s\S]*?[\])}]|(?<=[\s(,~])\/(?![\s=])(?:[^/\\\n]|\\.)+\/|#(?!\{)[^\n]*/gm,
    calls: [
      /(?<=\.)(?<name>[a-z_]\w*[?!]?)/g,
      /(?<![.\w:@$])(?<name>[a-z_]\w*[?!]?)\(/g,
      /^[ \t]*(?<name>[a-z_]\w*[?!]?) +(?=[:'"@[{\w])(?!(?:if|unless|while|until|do|and|or|rescue|then|in)\b)/gm,
    ],
    declares: /\bdef\s+(?:\w+\.)?$|\bundef\s+$|\balias\s.*$/,
    keywords: words(
      'if unless while until case when return yield def class module do end begin rescue ensure else elsif and or not then super self true false nil defined? alias undef in for break next redo retry require require_relative raise private protected public attr_reader attr_writer attr_accessor include extend prepend block_given? lambda proc puts p loop',
    ),
  },
}

/** Every call of the text, in its order. */
export function callSites(text: string, language: SampledLanguage): CallSite[] {
  const { cut, calls, declares, keywords } = forms[language]
  const code = text.replace(cut, (found) => found.replace(/[^\n]/g, ' '))
  const starts = [0]
  for (let at = code.indexOf('\n'); at !== -1; at = code.indexOf('\n', at + 1)) starts.push(at + 1)
  const found = new Map<number, string>()
  for (const form of calls)
    for (const { groups, index, 0: whole } of code.matchAll(form)) {
      const name = groups?.['name'] ?? ''
      const at = index + whole.indexOf(name)
      if (!keywords.has(name)) found.set(at, name)
    }
  let line = 0
  return [...found]
    .sort(([left], [right]) => left - right)
    .flatMap(([at, name]): CallSite[] => {
      while ((starts[line + 1] ?? Number.POSITIVE_INFINITY) <= at) line += 1
      const start = starts[line] ?? 0
      return declares.test(code.slice(start, at)) ? [] : [{ line: line + 1, col: at - start, name }]
    })
}
