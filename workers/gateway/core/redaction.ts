const charactersMax = 300
const inputCharactersMax = 65_536
/** An error may name its reason as its cause, and that one another. */
const causesMax = 4

/**
 * Makes an outside party's words fit to leave the gateway: account numbers, keys, tokens and the query and user part
 * of addresses are masked, control characters removed, the length bounded.
 */
export function redactedMessage(text: string): string {
  const masked = text
    .slice(0, inputCharactersMax)
    // biome-ignore lint/suspicious/noControlCharactersInRegex: removing them is the purpose
    .replace(/[\u0000-\u001f\u007f]+/g, ' ')
    .replace(/\b(arn:[a-z-]+:[a-z0-9-]*:[a-z0-9-]*:)\d{12}:/gi, '$1***:')
    .replace(/\b\d{12}\b/g, '***')
    .replace(/\b(?:AKIA|ASIA|ABSK)[A-Za-z0-9+/=_-]{8,}/g, '***')
    .replace(/\b(Bearer|Signature=|Credential=|Basic)\s*[^\s,;]+/gi, '$1 ***')
    .replace(/(https?:\/\/)[^\s/@]*@/gi, '$1')
    .replace(/(https?:\/\/[^\s?]*)\?[^\s]*/gi, '$1')
    .replace(/\b[A-Za-z0-9+/_=-]{40,}/g, (run) => (isPathOfWords(run) ? run : '***'))
  return masked.length > charactersMax ? `${masked.slice(0, charactersMax - 1)}…` : masked
}

/** Where a documentation lies, which a refusal often names: words of small letters, none as long as a key. */
function isPathOfWords(run: string): boolean {
  return run.includes('/') && /^(?:[a-z]{1,20}|v?\d{1,4})(?:[/_-](?:[a-z]{1,20}|v?\d{1,4}))*$/.test(run)
}

/** Why something failed, for the log: the words of an error and of what brought it about. Undefined for none. */
export function redactedCause(cause: unknown): string | undefined {
  const words: string[] = []
  for (let error = cause; error instanceof Error && words.length < causesMax; error = error.cause) {
    words.push(error.message === '' ? error.name : error.message)
  }
  return words.length === 0 ? undefined : redactedMessage(words.join(': '))
}
