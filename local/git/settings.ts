/** Settings of a file of git, as far as one line says one. What it includes is not followed. */

const valueCharsMax = 256
const head = /^\s*\[\s*([^\]"\s]*)\s*("[^"]*")?\s*\]/
const setting = /^\s*([a-z][a-z0-9-]*)\s*=\s*(.*)$/i

/** By `section.key` in small letters; of several the last one counts, as for git. A part of a section (`[a "b"]`) is left out. */
export function readSettings(text: string): ReadonlyMap<string, string> {
  const found = new Map<string, string>()
  let section = ''
  for (const line of text.split(/\r?\n/)) {
    const begun = head.exec(line)
    if (begun !== null) section = begun[2] === undefined ? (begun[1]?.toLowerCase() ?? '') : ''
    // A head that cannot be read begins nothing that is known.
    else if (/^\s*\[/.test(line)) section = ''
    const [, key, written = ''] = section === '' ? [] : (setting.exec(line.replace(head, '')) ?? [])
    if (key !== undefined) found.set(`${section}.${key.toLowerCase()}`, plainValue(written))
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
