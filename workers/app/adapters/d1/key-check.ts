import type { DrizzleD1Database } from 'drizzle-orm/d1'
import type { KeyCheckStore } from '../secret-box.ts'
import { keyCheck } from './schema/account.ts'

const onlyRow = 1

export function createKeyCheckStore(db: DrizzleD1Database): KeyCheckStore {
  return {
    async read() {
      const [row] = await db.select({ sealed: keyCheck.sealed }).from(keyCheck).limit(1)
      return row?.sealed
    },
    async replace(sealed) {
      await db
        .insert(keyCheck)
        .values({ id: onlyRow, sealed })
        .onConflictDoUpdate({ target: keyCheck.id, set: { sealed } })
    },
    async writeFirst(sealed) {
      await db.insert(keyCheck).values({ id: onlyRow, sealed }).onConflictDoNothing()
    },
  }
}
