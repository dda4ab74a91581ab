const charactersMax = 300
const inputCharactersMax = 65_536

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
    .replace(/\b[A-Za-z0-9+/_=-]{40,}/g, '***')
  return masked.length > charactersMax ? `${masked.slice(0, charactersMax - 1)}…` : masked
}
