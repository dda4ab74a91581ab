/** What goes through the tunnel, once it is opened. `docs/tunnel.md` says how it is sealed. */
import * as z from '#shared/schema/deferred.ts'
import { deviceNameCharactersMax } from '../limits.ts'

export const tunnelPrefix = '/api/tunnel/v1'

/** Mixed into every handshake: another version agrees on nothing with this one. */
export const tunnelPrologue = 'wharf tunnel 1'

export const deviceName = z
  .string()
  .trim()
  .min(1)
  .max(deviceNameCharactersMax)
  .regex(/^[^\p{Cc}]*$/u)

/** The same for pairing, which has a version of its own: devices that are paired go on. */
export const pairingPrologue = 'wharf pairing 2'

/** What somebody with the code is told: the key that a device has to know before it shows its own. */
export interface Introduction {
  readonly server_key: string
}

/** What a device says under a pairing code: how it wants to be called. Its static key is proved by the handshake. */
export const pairingWish = z.strictObject({ name: deviceName })

export interface PairingAnswer {
  readonly device_id: string
  readonly name: string
  readonly scopes: readonly string[]
}

export interface SessionAnswer {
  readonly session: string
  readonly idle_seconds: number
  readonly session_seconds: number
}

export const carriedRequest = z.strictObject({
  method: z.enum(['GET', 'HEAD', 'POST', 'PUT', 'PATCH', 'DELETE', 'OPTIONS']),
  /** With the prefix of the interface, and with its query. */
  path: z.string().regex(/^\/[^#\s]*$/),
  headers: z.record(z.string(), z.string()).optional(),
})

export interface CarriedAnswer {
  readonly status: number
  readonly headers: Readonly<Record<string, string>>
}

/** Of a request's headers these go on, of an answer's those come back. */
export const carriedRequestHeaders = ['accept', 'accept-language', 'content-type', 'if-modified-since', 'if-none-match']
export const carriedAnswerHeaders = [
  'allow',
  'cache-control',
  'content-disposition',
  'content-type',
  'etag',
  'last-modified',
  'retry-after',
]
