/** Commands: prompts that begin with a slash and a name, and the templates they stand for. */
export interface CommandLine {
  readonly name: string
  /** Everything after the name, as it was written. */
  readonly rest: string
}

export function parseCommandLine(text: string): CommandLine | undefined {
  const match = /^\/([A-Za-z0-9][\w./-]*)(?:\s+([\s\S]*))?$/.exec(text)
  return match?.[1] === undefined ? undefined : { name: match[1], rest: (match[2] ?? '').trim() }
}

/**
 * `$ARGUMENTS` is all of them, `$1` to `$9` are single ones, of which the highest that the template names takes the
 * rest. What an argument holds is not looked into again. A template that names none gets them at its end.
 */
export function expandTemplate(template: string, rest: string): string {
  const placeholder = /\$(ARGUMENTS\b|[1-9](?!\d))/g
  const numbers = [...template.matchAll(placeholder)].map(([, name]) => Number(name)).filter(Number.isInteger)
  const last = Math.max(0, ...numbers)
  const words = splitWords(rest)
  let isNamed = false
  const text = template.replace(placeholder, (_whole, name: string) => {
    isNamed = true
    if (name === 'ARGUMENTS') return rest
    const position = Number(name)
    const chosen = position === last ? words.slice(position - 1) : words.slice(position - 1, position)
    return chosen.join(' ')
  })
  return isNamed || rest === '' ? text.trim() : `${text.trim()}\n\n${rest}`
}

/** Words between blanks; quotes hold one together. */
export function splitWords(text: string): string[] {
  return [...text.matchAll(/"([^"]*)"|'([^']*)'|(\S+)/g)].map(
    ([, double, single, plain]) => double ?? single ?? plain ?? '',
  )
}
