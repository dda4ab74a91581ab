import { and, count, desc, eq, gt, sql } from 'drizzle-orm'
import type { DrizzleD1Database } from 'drizzle-orm/d1'
import { type Clock, unixSeconds } from '#shared/kernel/clock.ts'
import { failWith, succeed } from '#shared/kernel/result.ts'
import { readPairingCode, writePairingCode } from '../../core/tunnel/pairing-code.ts'
import type { DevicePermission, Scope } from '../../core/vocabulary.ts'
import { devicesMax, lastUsedWriteSeconds, pairingCodeSeconds } from '../../limits.ts'
import type { Device, Devices, KnownPrincipal } from '../../ports/account.ts'
import type { Background, Identifiers } from '../../ports/runtime.ts'
import type { SecretBox } from '../../ports/secrets.ts'
import { devices, pairingCode } from './schema/devices.ts'

const onlyCode = 1
const codeContext = 'pairing-code'
const codeRandomBytes = 16

export const scopesOfDevice: Readonly<Record<DevicePermission, readonly Scope[]>> = {
  full: ['app:read', 'app:write'],
  read: ['app:read'],
}

/** A code that a device may be paired with now. */
export interface WaitingCode {
  /** Without dashes. */
  readonly code: string
  readonly sealed: string
}

/** What handshakes need of the devices, beside what the owner sees. */
export interface DeviceStore extends Devices {
  waitingCode(): Promise<WaitingCode | undefined>
  /** Uses the code up. Undefined when it is used, over or replaced by then. A key that is paired already keeps its id. */
  pair(waiting: WaitingCode, name: string, publicKey: string): Promise<Device | undefined>
  idOf(publicKey: string): Promise<string | undefined>
  byDevice(id: string): Promise<KnownPrincipal | undefined>
}

export function createDevices(
  db: DrizzleD1Database,
  deps: { clock: Clock; identifiers: Identifiers; secrets: SecretBox; background: Background },
): DeviceStore {
  const now = () => unixSeconds(deps.clock)

  return {
    async list() {
      return (await db.select().from(devices).orderBy(desc(devices.pairedAtUnix), desc(devices.id))).map(toDevice)
    },

    async makeCode(permission) {
      const [present] = await db.select({ count: count() }).from(devices)
      if ((present?.count ?? 0) >= devicesMax) return failWith('too_many')
      if ((await deps.secrets.state()) !== 'ready') return failWith('secrets')
      const code = writePairingCode(crypto.getRandomValues(new Uint8Array(codeRandomBytes)))
      const columns = {
        sealed: await deps.secrets.seal(code, codeContext),
        permission,
        expiresAtUnix: now() + pairingCodeSeconds,
      }
      await db
        .insert(pairingCode)
        .values({ id: onlyCode, ...columns })
        .onConflictDoUpdate({ target: pairingCode.id, set: columns })
      return succeed({ code, expiresAtUnix: columns.expiresAtUnix })
    },

    async rename(id, name) {
      const [row] = await db.update(devices).set({ name }).where(eq(devices.id, id)).returning()
      return row === undefined ? undefined : toDevice(row)
    },

    async revoke(id) {
      return (await db.delete(devices).where(eq(devices.id, id)).returning({ id: devices.id })).length > 0
    },

    async waitingCode() {
      const [row] = await db.select().from(pairingCode).where(gt(pairingCode.expiresAtUnix, now()))
      if (row === undefined) return undefined
      const opened = await deps.secrets.open(row.sealed, codeContext)
      const code = opened.ok ? readPairingCode(opened.value) : undefined
      return code === undefined ? undefined : { code, sealed: row.sealed }
    },

    async pair({ sealed }, name, publicKey) {
      // A condition of the insert instead of a look before it, so that of two with the same code one is paired.
      const isThere = sql`exists (select 1 from devices where public_key = ${publicKey})`
      const isRoom = sql`(${isThere} or (select count(*) from devices) < ${devicesMax})`
      const isOpen = and(eq(pairingCode.sealed, sealed), gt(pairingCode.expiresAtUnix, now()))
      const [, rows] = await db.batch([
        db
          .insert(devices)
          .select(
            sql`select ${deps.identifiers.next()}, ${name}, ${publicKey}, permission, ${now()}, null
                from pairing_code where ${isOpen} and ${isRoom}`,
          )
          .onConflictDoUpdate({
            target: devices.publicKey,
            set: {
              name: sql`excluded.name`,
              permission: sql`excluded.permission`,
              pairedAtUnix: sql`excluded.paired_at_unix`,
            },
          }),
        db
          .select({ device: devices })
          .from(devices)
          .innerJoin(pairingCode, isOpen)
          .where(eq(devices.publicKey, publicKey)),
        db.delete(pairingCode).where(and(eq(pairingCode.sealed, sealed), isThere)),
      ])
      const [row] = rows
      return row === undefined ? undefined : toDevice(row.device)
    },

    async idOf(publicKey) {
      const [row] = await db.select({ id: devices.id }).from(devices).where(eq(devices.publicKey, publicKey))
      return row?.id
    },

    async byDevice(id) {
      const [row] = await db.select().from(devices).where(eq(devices.id, id))
      if (row === undefined) return undefined
      if (row.lastUsedAtUnix === null || now() - row.lastUsedAtUnix >= lastUsedWriteSeconds) {
        deps.background.run(db.update(devices).set({ lastUsedAtUnix: now() }).where(eq(devices.id, id)))
      }
      return {
        principal: {
          kind: 'remote_device',
          id: `device:${row.id}`,
          name: row.name,
          scopes: scopesOfDevice[row.permission],
        },
      }
    },
  }
}

function toDevice(row: typeof devices.$inferSelect): Device {
  return {
    id: row.id,
    name: row.name,
    permission: row.permission,
    pairedAtUnix: row.pairedAtUnix,
    ...(row.lastUsedAtUnix === null ? {} : { lastUsedAtUnix: row.lastUsedAtUnix }),
  }
}
