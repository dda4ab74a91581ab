import { test } from 'vitest'
import { passkeySupport } from '../../../../workers/app/web/model/passkey-support.ts'

test.for([
  ['wharf.example', true, true, 'ready'],
  ['localhost', true, true, 'ready'],
  ['wharf.example', false, true, 'none'],
  ['wharf.example', true, false, 'none'],
  ['127.0.0.1', true, true, 'no_name'],
  ['192.168.1.20', false, false, 'no_name'],
  ['[::1]', true, true, 'no_name'],
] as const)(
  'a page at %s (secure: %s, browser has them: %s) is %s for passkeys',
  ([hostname, isSecure, hasCredentials, support], { expect }) => {
    expect(passkeySupport({ hostname, isSecure, hasCredentials })).toBe(support)
  },
)
