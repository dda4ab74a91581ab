/** What a provider says about a refusal, fit to be shown: bounded, on one line, and without anything that looks like a key. */

const wordsCharactersMax = 300
const secretCharactersMin = 6

/** Keys by their looks: what follows a known beginning, and long mixtures of letters and digits. */
const keyLooks = [
  /\bBearer\s+\S+/gi,
  /\b(?:sk|pk|rk|key|api|xox[a-z]|gh[a-z]|AIza|whf)[-_][\w*-]{4,}/gi,
  /\bAIza[\w-]{10,}/g,
  /\b(?=[\w-]*\d)(?=[\w-]*[a-z])[\w-]{24,}\b/gi,
]

/** The message in an answer of the common shapes; undefined where there is none that a person could read. */
export function providerWords(body: unknown, secrets: readonly string[]): string | undefined {
  const said = messageIn(typeof body === 'string' ? parsed(body) : body)
  if (said === undefined) return undefined
  const line = said
    .toWellFormed()
    .replace(/[\p{Cc}\p{Cf}\s]+/gu, ' ')
    .trim()
  if (line === '') return undefined
  // Before it is cut: half a key is one as well.
  const shown = redact(line, secrets)
  return shown.length <= wordsCharactersMax ? shown : `${shown.slice(0, wordsCharactersMax - 1).toWellFormed()}…`
}

function redact(text: string, secrets: readonly string[]): string {
  const known = secrets.filter((secret) => secret.length >= secretCharactersMin)
  const hidden = known.reduce((shown, secret) => shown.replaceAll(secret, '[secret]'), text)
  const withoutAddresses = hidden
    .replace(/(https?:\/\/)[^\s/@]+@/gi, '$1')
    .replace(/(https?:\/\/[^\s?#]+)[?#]\S*/gi, '$1')
  return keyLooks.reduce((shown, look) => shown.replace(look, '[secret]'), withoutAddresses)
}

function parsed(text: string): unknown {
  try {
    return JSON.parse(text) as unknown
  } catch {
    // A page of a proxy says nothing that helps.
    return /^\s*</.test(text) ? undefined : text
  }
}

function messageIn(value: unknown): string | undefined {
  if (typeof value === 'string') return value
  if (Array.isArray(value)) return messageIn(value[0])
  if (typeof value !== 'object' || value === null) return undefined
  const { error, message, detail } = value as Readonly<Record<string, unknown>>
  return messageIn(error) ?? messageIn(message) ?? messageIn(detail)
}
