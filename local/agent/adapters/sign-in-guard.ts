/** Whom a sign-in may ask: besides the tool server itself it is that server who names them. */
import { isIP } from 'node:net'
import type { FetchLike } from '@modelcontextprotocol/client'
import { isLoopback } from '../core/openable-page.ts'
import { signInAnswerBytesMax, signInRequestMsMax } from '../limits.ts'
import { boundedFetch } from './bounded-fetch.ts'
import { isPublicAddress } from './web-fetch.ts'

type Resolve = (hostname: string) => Promise<readonly string[]>

/** `blocked` is the last host that was not asked. */
export function guardSignIn(
  server: URL,
  resolve: Resolve,
): { readonly fetch: FetchLike; blocked(): string | undefined } {
  const bounded = boundedFetch(signInAnswerBytesMax)
  let blocked: string | undefined
  return {
    blocked: () => blocked,
    fetch: async (input, init) => {
      const url = new URL(input)
      if (!(await maySignInAsk(url, server, resolve))) {
        blocked = url.host
        throw new Error('the address is not asked')
      }
      return bounded(url, { ...init, redirect: 'manual', signal: AbortSignal.timeout(signInRequestMsMax) })
    },
  }
}

/**
 * An address of the internet over https, and one of the own network only where the tool server itself is in it. A name that
 * answers differently a moment later would still need the certificate.
 */
export async function maySignInAsk(url: URL, server: URL, resolve: Resolve): Promise<boolean> {
  const isPublic = async ({ hostname }: URL): Promise<boolean> => {
    const host = hostname.replace(/^\[|\]$/g, '')
    const addresses = isIP(host) === 0 ? await resolve(host) : [host]
    return addresses.length > 0 && addresses.every(isPublicAddress)
  }
  if (url.origin === server.origin) return true
  if (url.protocol === 'https:' && (await isPublic(url))) return true
  if (await isPublic(server)) return false
  return url.protocol === 'https:' || (url.protocol === 'http:' && isLoopback(url) && isLoopback(server))
}
