import { failWith, type Result, succeed } from '#shared/kernel/result.ts'

/** True for 127.0.0.0/8, ::1 and their mapped forms, in the canonical spelling a resolver answers. */
export function isLoopbackAddress(address: string): boolean {
  const bare = address.toLowerCase().split('%')[0] ?? ''
  if (bare === '::1' || bare === '0:0:0:0:0:0:0:1') return true
  const ipv4 = bare.startsWith('::ffff:') ? bare.slice('::ffff:'.length) : bare
  const parts = ipv4.split('.')
  return (
    parts.length === 4 && parts.every((part) => /^\d{1,3}$/.test(part) && Number(part) <= 255) && parts[0] === '127'
  )
}

/**
 * Decides whether the server may listen. Without a password every address the host name resolves to must be loopback;
 * one that is not would make the server reachable from outside without credentials. Browsers sign in on this machine
 * alone, password or not.
 */
export function decideBind(
  hostname: string,
  addresses: readonly string[],
  { hasPassword, hasBrowserAuth }: { readonly hasPassword: boolean; readonly hasBrowserAuth: boolean },
): Result<string, { readonly message: string }> {
  const [first] = addresses
  if (first === undefined) return failWith({ message: `${hostname} resolves to no address` })
  if (hasPassword && !hasBrowserAuth) return succeed(first)
  const outside = addresses.find((address) => !isLoopbackAddress(address))
  if (outside === undefined) return succeed(first)
  const remedy = hasBrowserAuth
    ? '--browser-auth is for loopback addresses alone'
    : 'set SVC_SERVER_PASSWORD to expose the server'
  return failWith({ message: `${hostname} resolves to ${outside}, which is not a loopback address; ${remedy}` })
}
