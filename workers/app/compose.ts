/** The only place where the App API's parts meet the runtime: bindings in, a complete app out. */
import { drizzle } from 'drizzle-orm/d1'
import type { Clock } from '#shared/kernel/clock.ts'
import { cacheCredentials } from './adapters/cached-credentials.ts'
import { createApiTokens } from './adapters/d1/api-tokens.ts'
import { createAuditLog } from './adapters/d1/audit-log.ts'
import { createDownloaderStore } from './adapters/d1/downloaders.ts'
import { createKeyCheckStore } from './adapters/d1/key-check.ts'
import { createOwnerAccount } from './adapters/d1/owner-account.ts'
import { createDownloaderFleet } from './adapters/downloader-fleet.ts'
import { jsonLog } from './adapters/json-log.ts'
import { createSecretBox } from './adapters/secret-box.ts'
import { randomIdentifiers } from './adapters/web-crypto.ts'
import { workerRuntime } from './adapters/worker-runtime.ts'
import { type App, createApp } from './app.ts'
import type { AppDeps, Background, SecretBox } from './ports.ts'

export type AppBindings = Pick<Cloudflare.Env, 'DB' | 'DOWNLOADERS' | 'MASTER_KEY' | 'SETUP_CODE'>

const version = '0.1.0'

const systemClock: Clock = { nowMs: () => Date.now() }

/** Also for the objects, which open sealed passwords themselves. */
export function composeSecretBox(env: Pick<AppBindings, 'DB' | 'MASTER_KEY'>): SecretBox {
  return createSecretBox(env.MASTER_KEY, createKeyCheckStore(drizzle(env.DB)))
}

export function composeAppDeps(env: AppBindings, background: Background): AppDeps {
  const db = drizzle(env.DB)
  const base = { clock: systemClock, identifiers: randomIdentifiers, logger: jsonLog, background }
  const secrets = composeSecretBox(env)
  const apiTokens = createApiTokens(db, base)
  const owner = createOwnerAccount(db, { ...base, setupCode: env.SETUP_CODE })
  return {
    ...base,
    apiTokens,
    owner,
    secrets,
    credentials: cacheCredentials({ byToken: apiTokens.byToken, bySession: owner.bySession }, systemClock),
    audit: createAuditLog(db, systemClock),
    downloaders: createDownloaderStore(db, { clock: systemClock, secrets }),
    fleet: createDownloaderFleet(env.DOWNLOADERS, { logger: jsonLog, runtime: workerRuntime }),
    version,
  }
}

export function composeApp(env: AppBindings, background: Background): App {
  return createApp(composeAppDeps(env, background))
}
