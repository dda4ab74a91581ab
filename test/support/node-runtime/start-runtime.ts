/**
 * The suites of the Worker on the Node runtime: each file has a data folder of its own, with the bindings that
 * wrangler.toml and the project `workerd` give.
 */
import { readdirSync, readFileSync } from 'node:fs'
import { mkdtemp, rm } from 'node:fs/promises'
import path from 'node:path'
import { parse } from 'smol-toml'
import { afterAll } from 'vitest'
import { openRuntime } from '../../../local/runtime/compose.ts'
import { hostedDatabase } from '../../../local/runtime/node-host.ts'
import type { ObjectStorage } from '../../../local/runtime/object-storage.ts'
import { readShape } from '../../../local/runtime/script-shape.ts'
import { applyMigrations } from '../../../local/workerd/database-migrations.ts'
import { forwardThroughProxy } from '../../../local/workerd/outgoing-proxy.ts'
import type { SyncSql } from '../../../shared/sql/sync-sql.ts'
import { runOn } from '../../runtimes/engine.ts'
import { quickFolder } from '../memory-folder.ts'
import { unwrap } from '../unwrap.ts'
import { useRuntime } from './cloudflare-test.ts'
import { useWorkers } from './cloudflare-workers.ts'

// Their types are of workerd's platform.
const [workerFile, durableSqlFile] = ['../../../workers/worker.ts', '../../../shared/sql/durable-sql.ts']
const { durableSql }: { durableSql: (storage: ObjectStorage) => SyncSql } = await import(durableSqlFile)
const root = path.resolve(import.meta.dirname, '..', '..', '..')
const outgoingCode = 'test-outgoing-code'
const folder = await mkdtemp(path.join(quickFolder(), 'wharf-runtime-'))
const config = parse(readFileSync(path.join(root, 'wrangler.toml'), 'utf8'))
const forward = forwardThroughProxy(outgoingCode, Response)

const runtime = openRuntime({
  shape: readShape(config),
  stateFolder: folder,
  bindings: {
    ...(config['vars'] as Record<string, unknown>),
    OUTGOING: { fetch: (address: string, init: RequestInit) => forward(new Request(address, init)) },
    OUTGOING_CODE: outgoingCode,
    D1_MIGRATIONS: readdirSync(path.join(root, 'migrations')).filter((name) => name.endsWith('.sql')),
    MASTER_KEY: 'dGVzdC1tYXN0ZXIta2V5LTMyLWJ5dGVzLWxvbmchISE=',
    SETUP_CODE: 'test-setup-code',
    FUZZ_RUNS: process.env['WHARF_FUZZ_RUNS'] ?? '20',
    FUZZ_SEED: process.env['WHARF_FUZZ_SEED'] ?? '',
    ASSETS: { fetch: () => new Response('the pages are not built here', { status: 404 }) },
  },
  log: () => undefined,
})
useRuntime(runtime)

const database = runtime.databases.get('DB')
if (database === undefined) throw new Error('there is no database')
unwrap(await applyMigrations(hostedDatabase(database), path.join(root, 'migrations'), () => undefined))
await runtime.load(async ({ fetch, setTimeout, setInterval, FixedLengthStream }, workers) => {
  // The last is what suites make streams with; the script has no use for it.
  Object.assign(globalThis, {
    fetch,
    setTimeout,
    setInterval,
    FixedLengthStream,
    IdentityTransformStream: TransformStream,
  })
  useWorkers(workers.env, runtime.fetch, workers.waitUntil)
  return import(workerFile)
})

// An object that keeps nothing of its own in its storage.
runOn(async () => {
  const objects = runtime.objects.get('DOWNLOADERS')
  if (objects === undefined) throw new Error('there are no objects')
  const id = objects.newUniqueId()
  return {
    use: (work) => objects.inside(id, (_, { storage }) => work(durableSql(storage))),
    restart: async () => objects.evict(id),
    close: () => objects.inside(id, (_, { storage }) => storage.deleteAll()),
  }
})

afterAll(async () => {
  await runtime.close()
  await rm(folder, { recursive: true, force: true })
})
