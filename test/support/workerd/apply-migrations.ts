import { applyD1Migrations } from 'cloudflare:test'
import { env } from 'cloudflare:workers'

// All steps in one transaction: each file begins with them, and each commit is waited for.
await applyD1Migrations(env.DB, [{ name: 'all', queries: env.D1_MIGRATIONS.flatMap(({ queries }) => queries) }])
