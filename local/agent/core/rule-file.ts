/** Rules as editors keep them (`.mdc`): lines of `name: value` between two `---` lines, and a text. */

/** A file of rules, and what the model is told of it. */
export interface RuleText {
  readonly file: string
  readonly text: string
}

export interface RuleFile {
  readonly description: string
  /** Patterns of the files that it is about. */
  readonly globs: readonly string[]
  readonly isAlways: boolean
  readonly text: string
}

/** The head is no YAML, though it looks like it: patterns stand in it without quotes. What is not known is passed over. */
export function parseRuleFile(file: string): RuleFile {
  const match = /^\uFEFF?---[ \t]*\r?\n([\s\S]*?)(?:\r?\n)?---[ \t]*(?:\r?\n|$)/.exec(file)
  const head = new Map<string, string>()
  let last = ''
  for (const line of (match?.[1] ?? '').split(/\r?\n/)) {
    const named = /^(\w+):[ \t]*(.*)$/.exec(line)
    // A list goes on below its name.
    const item = /^[ \t]*-[ \t]+(.+)$/.exec(line)
    if (named !== null) {
      last = named[1] ?? ''
      head.set(last, (named[2] ?? '').trim())
    } else if (item !== null) head.set(last, [head.get(last), item[1]?.trim()].filter(Boolean).join(','))
  }
  return {
    description: unquoted(head.get('description') ?? ''),
    globs: patternsOf(head.get('globs') ?? ''),
    // Without a head nobody said when else.
    isAlways: match === null || head.get('alwaysApply') === 'true',
    text: file.slice(match?.[0].length ?? 0).trim(),
  }
}

/** Commas part patterns, except within braces. */
function patternsOf(value: string): string[] {
  return value
    .replace(/^\[(.*)\]$/, '$1')
    .split(/,(?![^{]*\})/)
    .map((one) => unquoted(one.trim()))
    .filter((one) => one !== '')
}

function unquoted(value: string): string {
  return value.replace(/^(["'])(.*)\1$/, '$2')
}

/** What a model is told of one: its text, or when to read it. Empty for one that is only for a person to hand over. */
export function sayRules(file: string, rule: RuleFile): string {
  if (rule.isAlways) return rule.text === '' ? '' : `Rules from ${file}:\n\n${rule.text}`
  const about = rule.description === '' ? '' : ` (${rule.description})`
  if (rule.globs.length > 0)
    return `Rules for files that match ${rule.globs.join(', ')}${about}: read ${file} before you change one of them.`
  return rule.description === '' ? '' : `Rules to read where they apply, in ${file}: ${rule.description}`
}
