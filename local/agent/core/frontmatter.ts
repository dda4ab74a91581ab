/** The head of a Markdown file: `key: value` lines between two `---` lines. Values are texts, numbers and true/false. */
export interface MarkdownFile {
  readonly fields: Readonly<Record<string, string | number | boolean>>
  readonly body: string
}

export function parseMarkdownFile(text: string): MarkdownFile {
  const match = /^\uFEFF?---[ \t]*\r?\n([\s\S]*?)\r?\n---[ \t]*(?:\r?\n|$)/.exec(text)
  if (match === null) return { fields: {}, body: text.trim() }
  const fields: Record<string, string | number | boolean> = {}
  let lastKey: string | undefined
  for (const line of (match[1] ?? '').split(/\r?\n/)) {
    const entry = /^([A-Za-z][A-Za-z0-9_-]*):[ \t]*(.*)$/.exec(line)
    if (entry?.[1] !== undefined) {
      lastKey = entry[1]
      fields[lastKey] = scalarOf((entry[2] ?? '').trim())
    } else if (lastKey !== undefined && /^\s+\S/.test(line)) {
      // A value that goes on in an indented line, as long descriptions do.
      const before = String(fields[lastKey] ?? '')
      fields[lastKey] = `${/^[>|][+-]?$/.test(before) ? '' : before} ${line.trim()}`.trim()
    }
  }
  return { fields, body: text.slice(match[0].length).trim() }
}

function scalarOf(text: string): string | number | boolean {
  if (text === 'true') return true
  if (text === 'false') return false
  if (/^-?\d+(?:\.\d+)?$/.test(text)) return Number(text)
  const quoted = /^(["'])(.*)\1$/.exec(text)
  return quoted?.[2] ?? text
}
