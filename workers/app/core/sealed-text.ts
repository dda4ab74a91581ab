/** What the master key seals, and how to tell without it which key that was. A sealed text is `v1.<key name>.…`. */
import { toHex } from './bytes.ts'

const format = 'v1'
const nameCharacters = 8

/** What a key is named after: eight characters of this text's SHA-256 tell one key from another and nothing about it. */
export function keyNameSource(raw: Uint8Array): string {
  return `wharf key name ${toHex(raw)}`
}

export function keyNameOf(hexDigest: string): string {
  return hexDigest.slice(0, nameCharacters)
}

export function sealedStart(keyName: string): string {
  return `${format}.${keyName}.`
}

export const lostKinds = ['downloader', 'site', 'channel', 'service', 'device', 'feed'] as const
export type LostKind = (typeof lostKinds)[number]

/** What has to be entered again, or paired again: by the name that the owner knows it under. */
export interface LostSecret {
  readonly kind: LostKind
  readonly name: string
}

const other = (column: string) => `${column} <> '' and substr(${column}, 1, length(?1)) <> ?1`

/**
 * Statements that name what cannot be opened; `?1` is how texts begin that the key at hand has sealed. Devices know the
 * service by a key of its own, which is sealed as well: one that is new since they were paired is a stranger to them. The key
 * for push services is made anew by itself; what is lost with it are channels. What a file declares is declared again.
 */
export const lostQueries: readonly { readonly kind: LostKind; readonly sql: string }[] = [
  { kind: 'downloader', sql: `select name from downloaders where ${other('sealed_password')} order by id` },
  { kind: 'site', sql: `select name from sites where ${other('sealed_credentials')} order by id` },
  { kind: 'channel', sql: `select name from channels where ${other('sealed_secrets')} order by id` },
  {
    kind: 'service',
    sql: `select name from settings where name not in ('webPush', 'declared') and ${other('sealed')} order by name`,
  },
  { kind: 'feed', sql: `select name from feeds where ${other('sealed_address')} order by id` },
  {
    kind: 'device',
    sql: `select name from devices where exists (select 1 from tunnel_key where ${other('sealed')})
          or paired_at_unix < coalesce((select made_at_unix from tunnel_key), 0) order by paired_at_unix`,
  },
]
