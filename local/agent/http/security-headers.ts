/** On every answer: nothing here is a page, and nothing may be embedded or guessed at. */
export const securityHeaders = {
  'x-content-type-options': 'nosniff',
  'referrer-policy': 'no-referrer',
  'x-frame-options': 'DENY',
  'content-security-policy': "default-src 'none'; frame-ancestors 'none'",
} as const

/** A file of the project may be a page of anyone: shown by a browser it is nobody's, and runs and sends nothing. */
export const foreignText = {
  'content-security-policy': `${securityHeaders['content-security-policy']}; sandbox`,
} as const
