/** What goes through the tunnel, once it is opened. `docs/tunnel.md` says how it is sealed. */
import { z } from '@hono/zod-openapi'
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

/** What a device says under a pairing code: how it wants to be called, and its static key as base64url. */
export const pairingWish = z.strictObject({ name: deviceName, key: z.string().regex(/^[A-Za-z0-9_-]{43}$/) })

export interface PairingAnswer {
  readonly device_id: string
  readonly name: string
  readonly scopes: readonly string[]
  readonly server_key: string
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
