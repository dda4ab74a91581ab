import { eq, sql } from 'drizzle-orm'
import type { DrizzleD1Database } from 'drizzle-orm/d1'
import { type Clock, unixSeconds } from '#shared/kernel/clock.ts'
import { failWith, succeed } from '#shared/kernel/result.ts'
import { type SettingName, type SettingValue, settingShapes } from '../../contract/owner-settings.ts'
import type { SecretBox } from '../../ports/secrets.ts'
import type { OwnerSetting, OwnerSettings } from '../../ports/settings.ts'
import { settings } from './schema/settings.ts'

type Row = typeof settings.$inferSelect

/** Binds a sealed secret to its matter, so that it opens nowhere else. */
function secretContext(name: SettingName): string {
  return `setting:${name}`
}

export function createOwnerSettings(
  db: DrizzleD1Database,
  deps: { readonly clock: Clock; readonly secrets: SecretBox },
): OwnerSettings {
  async function rowOf(name: SettingName): Promise<Row | undefined> {
    const [row] = await db.select().from(settings).where(eq(settings.name, name))
    return row
  }

  return {
    async read(name) {
      return toSetting(name, await rowOf(name))
    },

    async openSecret(name) {
      const sealed = (await rowOf(name))?.sealed ?? ''
      return sealed === '' ? succeed('') : deps.secrets.open(sealed, secretContext(name))
    },

    async write(name, value, secret) {
      if (secret !== undefined && secret !== '' && (await deps.secrets.state()) !== 'ready') return failWith('secrets')
      const sealed =
        secret === undefined || secret === '' ? secret : await deps.secrets.seal(secret, secretContext(name))
      const columns = {
        value: JSON.stringify(value),
        updatedAtUnix: unixSeconds(deps.clock),
        ...(sealed === undefined ? {} : { sealed }),
      }
      const [row] = await db
        .insert(settings)
        .values({ name, ...columns })
        .onConflictDoUpdate({ target: settings.name, set: { ...columns, revision: sql`${settings.revision} + 1` } })
        .returning()
      return succeed(toSetting(name, row))
    },
  }
}

/** What was never set is what its shape says without it. */
function toSetting<N extends SettingName>(name: N, row: Row | undefined): OwnerSetting<N> {
  return {
    value: settingShapes[name].parse(JSON.parse(row?.value ?? '{}')) as SettingValue<N>,
    hasSecret: row !== undefined && row.sealed !== '',
    revision: row?.revision ?? 0,
  }
}
