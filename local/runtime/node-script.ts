/**
 * The Worker script as this process runs it: the bundle of workerd as the body of a function, which is given the platform.
 * What V8 made of it is kept for the next start.
 */
import { existsSync, readFileSync } from 'node:fs'
import { createRequire } from 'node:module'
import path from 'node:path'
import { compileFunction, type Script } from 'node:vm'
import { parse } from 'smol-toml'
import { failWith, type Result, succeed } from '#shared/kernel/result.ts'
import { builtWorkerScript } from '../../bin/installation.mjs'
import type { StartFault } from '../operating/start-faults.ts'
import type { WorkersModule } from './cloudflare-workers.ts'
import type { RuntimeShape, ScriptModule } from './compose.ts'
import type { Platform } from './platform.ts'
import { builtScript, compiledFileOf, type KeptScript, keepCompiled, keptScript } from './script-bundle.ts'
import { readShape, table } from './script-shape.ts'

export interface NodeScript {
  readonly shape: RuntimeShape
  readonly variables: Readonly<Record<string, unknown>>
  readonly assets: { readonly binding: string; readonly folder: string } | undefined
  /** Beginnings of the paths that the script answers before any static asset. */
  readonly pathsBeforeAssets: readonly string[]
  readonly migrations: { readonly binding: string; readonly folder: string } | undefined
  load(platform: Platform, workers: WorkersModule): ScriptModule
}

const workersName = 'cloudflare:workers'

export async function readNodeScript(
  configFile: string,
  cacheFolder: string,
  log: (line: string) => void,
): Promise<Result<NodeScript, StartFault>> {
  const config = table(parse(readFileSync(configFile, 'utf8')))
  const { name, main } = config
  if (typeof name !== 'string' || typeof main !== 'string')
    return failWith({ kind: 'script_unnamed', file: configFile })
  const folder = path.dirname(configFile)
  const source = builtWorkerScript ?? path.resolve(folder, main)
  const made =
    builtWorkerScript === undefined
      ? await keptScript(source, cacheFolder, log)
      : succeed(builtScript(source, cacheFolder))
  if (!made.ok) return made
  const assets = table(config['assets'])
  const database = [config['d1_databases']]
    .flat()
    .map(table)
    .find((one) => one['migrations_dir'] !== undefined)
  const first = assets['run_worker_first']
  return succeed({
    shape: readShape(config),
    variables: table(config['vars']),
    assets:
      typeof assets['directory'] === 'string'
        ? { binding: String(assets['binding'] ?? 'ASSETS'), folder: path.resolve(folder, assets['directory']) }
        : undefined,
    pathsBeforeAssets: Array.isArray(first) ? first.map((rule) => String(rule).replace(/\*$/, '')) : [],
    migrations:
      database === undefined
        ? undefined
        : { binding: String(database['binding']), folder: path.resolve(folder, String(database['migrations_dir'])) },
    load: (platform, workers) => run(made.value, source, platform, workers),
  })
}

/** The script's own globals are the platform's, wherever they are named. */
function run(script: KeptScript, source: string, platform: Platform, workers: WorkersModule): ScriptModule {
  const given = { ...platform, globalThis: globalsOf(platform), ...nodeModules(workers), module: { exports: {} } }
  const { file, text } = script
  const names = Object.keys(given)
  const compiledFile = compiledFileOf(script, source, names)
  const cachedData = existsSync(compiledFile) ? readFileSync(compiledFile) : undefined
  const make = compileFunction(text, names, {
    filename: file,
    ...(cachedData === undefined ? {} : { cachedData }),
  }) as ReturnType<typeof compileFunction> & Pick<Script, 'cachedDataRejected'>
  make(...Object.values(given))
  // What has run is compiled: kept now, the next start finds it ready.
  if (cachedData === undefined || make.cachedDataRejected === true) {
    const { cachedData: compiled } = compileFunction(text, names, {
      filename: file,
      produceCachedData: true,
    }) as ReturnType<typeof compileFunction> & Pick<Script, 'cachedData'>
    if (compiled !== undefined) keepCompiled(script, source, names, compiled)
  }
  return given.module.exports as ScriptModule
}

/** What the script asks of the global object is the platform's as well, and what it puts there stays its own. */
function globalsOf(platform: Platform): typeof globalThis {
  const own: Record<PropertyKey, unknown> = { ...platform }
  return new Proxy(globalThis, {
    get: (real, name) => (Object.hasOwn(own, name) ? own[name] : Reflect.get(real, name)),
    has: (real, name) => Object.hasOwn(own, name) || Reflect.has(real, name),
    set(_, name, value) {
      own[name] = value
      return true
    },
  })
}

function nodeModules(workers: WorkersModule) {
  const load = createRequire(import.meta.url)
  return { require: (name: string): unknown => (name === workersName ? workers : load(name)) }
}
