/**
 * Files share a runtime: to start one and to load the Worker's modules into it costs more than most files do. Each begins
 * in an empty one all the same. What is stored, objects, and what the script keeps in memory are gone.
 */
import { reset } from 'cloudflare:test'
import { env } from 'cloudflare:workers'
import { afterAll } from 'vitest'

const emptyingTriesMax = 50

/** The modules that keep what they were given or what they found: the Worker's two entries, and the tests' own. */
const keepers = /\/workers\/(worker|own-gateway)\.ts$|\/test\/(support|runtimes)\//

/** Of the module runner in vitest's worker. */
interface EvaluatedModules<Module> {
  readonly idToModuleMap: ReadonlyMap<string, Module>
  invalidateModule(module: Module): void
}

const { evaluatedModules: modules } = (
  globalThis as unknown as { __vitest_worker__: { evaluatedModules: EvaluatedModules<unknown> } }
).__vitest_worker__

async function isEmpty(): Promise<boolean> {
  const tables = await env.DB.prepare("select 1 from sqlite_master where name not like '\\_cf\\_%' escape '\\'").all()
  return tables.results.length === 0
}

/** A request that the last file left behind may open the database between its end and its file's, and so keep it. */
async function empty(): Promise<void> {
  for (let tries = 0; tries < emptyingTriesMax; tries += 1) {
    await reset()
    if (await isEmpty()) return
  }
  throw new Error('what the last file left behind does not come to rest')
}

for (const [id, module] of modules.idToModuleMap) if (keepers.test(id)) modules.invalidateModule(module)
await empty()
// The first that is asked for is the last that is done.
afterAll(reset)
