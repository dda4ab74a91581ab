import { eq } from 'drizzle-orm'
import type { DrizzleD1Database } from 'drizzle-orm/d1'
import { type Clock, unixSeconds } from '#shared/kernel/clock.ts'
import { fromBase64, toBase64Url } from '../../core/bytes.ts'
import type { SecretBox } from '../../ports/secrets.ts'
import { generateKeptKeyPair, type KeyPair, openKeptKeyPair } from '../tunnel/noise.ts'
import { tunnelKey } from './schema/devices.ts'

const onlyKey = 1
const keyContext = 'tunnel-key'

/** The service's own key for handshakes with devices. Undefined while the master key that seals it is not at hand. */
export function createTunnelKey(
  db: DrizzleD1Database,
  secrets: SecretBox,
  clock: Clock,
): () => Promise<KeyPair | undefined> {
  let kept: KeyPair | undefined

  async function stored(): Promise<KeyPair | undefined> {
    const [row] = await db.select().from(tunnelKey)
    if (row === undefined) return undefined
    const opened = await secrets.open(row.sealed, keyContext)
    const [publicKey, privateKey] = [fromBase64(row.publicKey), fromBase64(opened.ok ? opened.value : '')]
    if (opened.ok && publicKey !== undefined && privateKey !== undefined) return openKeptKeyPair(publicKey, privateKey)
    // It was sealed under a master key that the owner has given up: the devices have to be paired with a new one.
    await db.delete(tunnelKey).where(eq(tunnelKey.sealed, row.sealed))
    return undefined
  }

  async function make(): Promise<void> {
    const made = await generateKeptKeyPair()
    const columns = {
      publicKey: toBase64Url(made.publicKey),
      sealed: await secrets.seal(toBase64Url(made.kept), keyContext),
      madeAtUnix: unixSeconds(clock),
    }
    // Of two that are made at the same time the first one stays.
    await db
      .insert(tunnelKey)
      .values({ id: onlyKey, ...columns })
      .onConflictDoNothing()
  }

  return async () => {
    if (kept !== undefined) return kept
    if ((await secrets.state()) !== 'ready') return undefined
    kept = await stored()
    if (kept === undefined) {
      await make()
      kept = await stored()
    }
    return kept
  }
}
