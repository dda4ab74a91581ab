/**
 * The Worker script as this process runs it: the bundle of workerd as the body of a function, which is given the platform.
 * Kept in the data folder beside a digest of every file it was made from, and beside what V8 made of it.
 */
import { createHash } from 'node:crypto'
import { existsSync, mkdirSync, readFileSync, renameSync, writeFileSync } from 'node:fs'
import { createRequire } from 'node:module'
import path from 'node:path'
import { compileFunction, type Script } from 'node:vm'
import { parse } from 'smol-toml'
import { failWith, type Result, succeed } from '#shared/kernel/result.ts'
import type { WorkersModule } from './cloudflare-workers.ts'
import type { RuntimeShape, ScriptModule } from './compose.ts'
import type { Platform } from './platform.ts'
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

const projectRoot = path.resolve(import.meta.dirname, '..', '..')
const packageLock = path.join(projectRoot, 'package-lock.json')
const workersName = 'cloudflare:workers'

export async function readNodeScript(
  configFile: string,
  cacheFolder: string,
  log: (line: string) => void,
): Promise<Result<NodeScript, string>> {
  const config = table(parse(readFileSync(configFile, 'utf8')))
  const { name, main } = config
  if (typeof name !== 'string' || typeof main !== 'string')
    return failWith(`${configFile} names no script: it needs name and main`)
  const folder = path.dirname(configFile)
  const made = await bundled(path.resolve(folder, main), cacheFolder, log)
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
    load: (platform, workers) => run(made.value, platform, workers),
  })
}

/** The name of the file that holds the script. */
async function bundled(
  main: string,
  cacheFolder: string,
  log: (line: string) => void,
): Promise<Result<string, string>> {
  const name = createHash('sha256').update(main).digest('hex').slice(0, 16)
  const file = path.join(cacheFolder, `node-script-${name}.cjs`)
  const noteFile = path.join(cacheFolder, `node-script-${name}.json`)
  if (existsSync(file) && isFresh(noteFile)) return succeed(file)
  log('Bundling the Worker script…')
  const esbuild = await import('esbuild')
  try {
    const built = await esbuild.build({
      stdin: { contents: entryOf(main), resolveDir: path.dirname(main), loader: 'ts' },
      bundle: true,
      write: false,
      metafile: true,
      format: 'cjs',
      platform: 'browser',
      target: 'es2024',
      conditions: ['workerd', 'worker', 'browser'],
      external: ['node:*', workersName],
      loader: { '.toml': 'text' },
      keepNames: true,
      absWorkingDir: projectRoot,
      logLevel: 'silent',
    })
    const inputs = Object.keys(built.metafile.inputs)
      .filter((input) => input !== '<stdin>' && !input.split('/').includes('node_modules'))
      .map((input) => path.resolve(projectRoot, input))
    mkdirSync(cacheFolder, { recursive: true, mode: 0o700 })
    writeWhole(file, built.outputFiles.map(({ text }) => text).join('\n'))
    writeWhole(noteFile, JSON.stringify(digestsOf([packageLock, ...inputs])))
    return succeed(file)
  } catch (error) {
    return failWith(`The Worker script does not build: ${error instanceof Error ? error.message : String(error)}`)
  } finally {
    // Its process would stay for the next build, which does not come.
    await esbuild.stop()
  }
}

/** The script, and beside it its gateway, which this process serves on its own messages. */
function entryOf(main: string): string {
  const script = JSON.stringify(`./${path.basename(main)}`)
  const whole = `export * from ${script}\nexport { default } from ${script}\n`
  const hasGateway = existsSync(path.join(path.dirname(main), 'own-gateway.ts'))
  return hasGateway ? `${whole}export { theGateway } from './own-gateway.ts'\n` : whole
}

/** The script's own globals are the platform's, wherever they are named. */
function run(file: string, platform: Platform, workers: WorkersModule): ScriptModule {
  const given = { ...platform, globalThis: globalsOf(platform), ...nodeModules(workers), module: { exports: {} } }
  const cacheFile = `${file}.v8`
  const cachedData = existsSync(cacheFile) ? readFileSync(cacheFile) : undefined
  const names = Object.keys(given)
  const make = compileFunction(readFileSync(file, 'utf8'), names, {
    filename: file,
    ...(cachedData === undefined ? {} : { cachedData }),
  }) as ReturnType<typeof compileFunction> & Pick<Script, 'cachedDataRejected'>
  make(...Object.values(given))
  // What has run is compiled: kept now, the next start finds it ready.
  if (cachedData === undefined || make.cachedDataRejected === true) keepCompiled(file, cacheFile, names)
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

function keepCompiled(file: string, cacheFile: string, names: readonly string[]): void {
  const made = compileFunction(readFileSync(file, 'utf8'), names, { filename: file, produceCachedData: true }) as {
    cachedData?: Buffer
  }
  if (made.cachedData !== undefined) writeWhole(cacheFile, made.cachedData)
}

function nodeModules(workers: WorkersModule) {
  const load = createRequire(import.meta.url)
  return { require: (name: string): unknown => (name === workersName ? workers : load(name)) }
}

function writeWhole(file: string, content: string | Buffer): void {
  writeFileSync(`${file}.new`, content, { mode: 0o600 })
  renameSync(`${file}.new`, file)
}

function isFresh(noteFile: string): boolean {
  try {
    const kept: Record<string, string> = JSON.parse(readFileSync(noteFile, 'utf8'))
    const now = digestsOf(Object.keys(kept))
    return Object.entries(kept).every(([file, digest]) => now[file] === digest)
  } catch {
    return false
  }
}

function digestsOf(files: readonly string[]): Record<string, string> {
  // How it is made is a part of what is made.
  const all = new Set([...files, path.join(import.meta.dirname, 'node-script.ts')])
  return Object.fromEntries(
    [...all].map((file) => [
      file,
      existsSync(file) ? createHash('sha256').update(readFileSync(file)).digest('hex') : 'missing',
    ]),
  )
}
