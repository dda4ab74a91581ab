/** Who the owner's git says that they are: the two lines of its settings that a commit cannot be made without. */
export interface Author {
  readonly name: string
  readonly email: string
}

const valueCharsMax = 256
const section = /^\s*\[\s*([^\]"\s]*)\s*("[^"]*")?\s*\]/
const setting = /^\s*(name|email)\s*=\s*(.*)$/i

/** Of a settings file of git. What it includes is not followed; of several the last one counts, as for git. */
export function readAuthor(text: string): Partial<Author> {
  const found: { name?: string; email?: string } = {}
  let isUser = false
  for (const line of text.split(/\r?\n/)) {
    const head = section.exec(line)
    if (head !== null) isUser = head[1]?.toLowerCase() === 'user' && head[2] === undefined
    const [, key, written = ''] = isUser ? (setting.exec(line.replace(section, '')) ?? []) : []
    if (key !== undefined) found[key.toLowerCase() as keyof Author] = plainValue(written)
  }
  return found
}

/** Without quotes, escapes and what follows as a comment. */
function plainValue(written: string): string {
  let value = ''
  let isQuoted = false
  for (let at = 0; at < written.length && value.length < valueCharsMax; at += 1) {
    const one = written[at] ?? ''
    if (one === '\\') {
      at += 1
      value += written[at] ?? ''
    } else if (one === '"') isQuoted = !isQuoted
    else if (!isQuoted && (one === '#' || one === ';')) break
    else value += one
  }
  return value.trim()
}

/** A settings file that says this and nothing else. */
export function writeAuthor({ name, email }: Author): string {
  const quoted = (value: string) => `"${value.replace(/\p{Cc}/gu, ' ').replace(/[\\"]/g, '\\$&')}"`
  return `[user]\n\tname = ${quoted(name)}\n\temail = ${quoted(email)}\n`
}
