import { drizzle } from 'drizzle-orm/d1'
import { createKeyCheckStore } from '../adapters/d1/key-check.ts'
import { createSecretBox, type OwnSecretBox } from '../adapters/secret-box.ts'

/** What seals and opens secrets with the master key, wherever it is needed. */
export function secretsOf(env: Pick<Cloudflare.Env, 'DB' | 'MASTER_KEY'>): OwnSecretBox {
  return createSecretBox(env.MASTER_KEY, createKeyCheckStore(drizzle(env.DB)))
}
