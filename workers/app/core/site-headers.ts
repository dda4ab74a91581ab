/** Headers the owner adds to the calls of one site: what a browser says of itself beyond its name. */

/**
 * Of the connection and not of the page, set by who sends the call on, or a credential, which has a sealed place of its
 * own; and those that make a site answer with less than the page.
 */
const refusedNames: ReadonlySet<string> = new Set([
  'accept-encoding',
  'api-token',
  'authorization',
  'connection',
  'content-encoding',
  'content-length',
  'content-type',
  'cookie',
  'cookie2',
  'expect',
  'forwarded',
  'host',
  'http2-settings',
  'if-match',
  'if-modified-since',
  'if-none-match',
  'if-range',
  'if-unmodified-since',
  'keep-alive',
  'max-forwards',
  'range',
  'set-cookie',
  'te',
  'trailer',
  'transfer-encoding',
  'upgrade',
  // A setting of its own.
  'user-agent',
  'via',
  'x-api-key',
])

/** Of proxies, of the platform, and between the script and its host. */
const refusedBeginnings: readonly string[] = ['proxy-', 'cf-', 'mf-', 'x-forwarded-', 'x-wharf-', 'x-http-method']

export function mayBeOwners(name: string): boolean {
  const lower = name.toLowerCase()
  return !refusedNames.has(lower) && !refusedBeginnings.some((beginning) => lower.startsWith(beginning))
}
