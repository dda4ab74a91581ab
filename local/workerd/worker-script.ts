/**
 * The Worker script and its bindings, as wrangler.toml describes them, bundled for the runtime on this machine.
 *
 * Reading the configuration through wrangler costs a second and bundling a third of one, so both results are kept beside a
 * digest of every file they were made from.
 */

import { createHash } from 'node:crypto'
import { existsSync, mkdirSync, readFileSync } from 'node:fs'
import path from 'node:path'
import type { Loader } from 'esbuild'
import type { Json } from 'miniflare'
import { causeOf } from '#shared/kernel/fault-words.ts'
import { failWith, type Result, succeed } from '#shared/kernel/result.ts'
import { replaceFile } from '../files/replace-file.ts'
import type { StartFault } from '../operating/start-faults.ts'

export interface WorkerScript {
  readonly name: string
  /** Bindings, compatibility settings and static assets, in the runtime's own words. */
  readonly options: Readonly<Record<string, unknown>>
  /** The plain variables of the configuration. */
  readonly variables: Readonly<Record<string, Json>>
  readonly contents: string
  /** The gate in front of it. */
  readonly gateContents: string
  readonly compatibilityDate: string
  /** Beginnings of the paths that the script answers before any static asset. */
  readonly pathsBeforeAssets: readonly string[]
  /** The database whose migrations a start applies; undefined when there is none. */
  readonly database: { readonly binding: string; readonly migrationsFolder: string } | undefined
}

export interface WorkerScriptOptions {
  /** A wrangler.toml. */
  readonly configFile: string
  readonly cacheFolder: string
  readonly log: (line: string) => void
}

/** What is read of wrangler's configuration; its own type comes from a package it does not publish. */
interface WranglerConfig {
  readonly name?: string
  readonly compatibility_date?: string
  readonly assets?: { readonly directory?: string; readonly run_worker_first?: boolean | readonly string[] }
  readonly vars: Readonly<Record<string, Json>>
  readonly rules: readonly { readonly type: string; readonly globs: readonly string[] }[]
  readonly d1_databases: readonly { readonly binding: string; readonly migrations_dir?: string }[]
}

interface CachedScript {
  readonly digests: Readonly<Record<string, string>>
  readonly script: WorkerScript
}

const projectRoot = path.resolve(import.meta.dirname, '..', '..')
const gateFile = path.join(import.meta.dirname, 'gate-worker.ts')
const packageLock = path.join(projectRoot, 'package-lock.json')

export async function loadWorkerScript(options: WorkerScriptOptions): Promise<Result<WorkerScript, StartFault>> {
  const configFile = path.resolve(options.configFile)
  const cacheName = createHash('sha256').update(configFile).digest('hex').slice(0, 16)
  const cacheFile = path.join(options.cacheFolder, `script-${cacheName}.json`)
  const cached = readCache(cacheFile)
  if (cached !== undefined && isFresh(cached)) return succeed(cached.script)
  options.log('Bundling the Worker script…')
  const made = await makeScript(configFile)
  if (!made.ok) return made
  mkdirSync(options.cacheFolder, { recursive: true, mode: 0o700 })
  replaceFile(cacheFile, JSON.stringify(made.value))
  return succeed(made.value.script)
}

async function makeScript(configFile: string): Promise<Result<CachedScript, StartFault>> {
  const [wrangler, esbuild] = await Promise.all([import('wrangler'), import('esbuild')])
  const config: WranglerConfig = wrangler.unstable_readConfig({ config: configFile }, { hideWarnings: true })
  const read = wrangler.unstable_getMiniflareWorkerOptions(configFile)
  if (config.name === undefined || read.main === undefined) {
    return failWith({ kind: 'script_unnamed', file: configFile })
  }
  const textLoaders: Record<string, Loader> = {}
  for (const rule of config.rules) {
    if (rule.type !== 'Text') return failWith({ kind: 'script_rule', file: configFile, type: rule.type })
    for (const glob of rule.globs) textLoaders[path.extname(glob)] = 'text'
  }
  const bundle = (entry: string) =>
    esbuild.build({
      entryPoints: [entry],
      bundle: true,
      write: false,
      metafile: true,
      format: 'esm',
      platform: 'browser',
      target: 'es2024',
      conditions: ['workerd', 'worker', 'browser'],
      external: ['cloudflare:*', 'node:*'],
      loader: textLoaders,
      define: read.define,
      keepNames: true,
      absWorkingDir: projectRoot,
      logLevel: 'silent',
    })
  try {
    const [main, gate] = await Promise.all([bundle(read.main), bundle(gateFile)])
    const inputs = [...Object.keys(main.metafile.inputs), ...Object.keys(gate.metafile.inputs)]
      .filter((input) => !input.split('/').includes('node_modules'))
      .map((input) => path.resolve(projectRoot, input))
    const database = config.d1_databases.find((one) => one.migrations_dir !== undefined)
    return succeed({
      digests: digestsOf([...sideFiles(configFile, config), packageLock, ...inputs]),
      script: {
        name: config.name,
        options: read.workerOptions,
        variables: config.vars,
        contents: main.outputFiles.map((file) => file.text).join('\n'),
        gateContents: gate.outputFiles.map((file) => file.text).join('\n'),
        compatibilityDate: config.compatibility_date ?? '2026-10-01',
        pathsBeforeAssets: pathsBeforeAssets(config.assets?.run_worker_first),
        database:
          database === undefined
            ? undefined
            : {
                binding: database.binding,
                migrationsFolder: path.resolve(path.dirname(configFile), database.migrations_dir ?? 'migrations'),
              },
      },
    })
  } catch (error) {
    return failWith({ kind: 'script_unbuilt', cause: causeOf(error) })
  } finally {
    // Its process would stay for the next build, which does not come.
    await esbuild.stop()
  }
}

/** What wrangler reads beside the sources, and turns into options. */
function sideFiles(configFile: string, config: WranglerConfig): string[] {
  const folder = path.dirname(configFile)
  const assets = config.assets?.directory
  const assetRules = assets === undefined ? [] : ['_headers', '_redirects'].map((name) => path.join(assets, name))
  return [configFile, ...['.dev.vars', ...assetRules].map((file) => path.resolve(folder, file))]
}

/** Only whole folders: what is written in any other way takes the longer road, with the same end. */
function pathsBeforeAssets(rules: boolean | readonly string[] | undefined): string[] {
  if (rules === true) return ['/']
  if (rules === undefined || rules === false || rules.some((rule) => rule.startsWith('!'))) return []
  return rules.filter((rule) => /^\/[^*]*\/\*$/.test(rule)).map((rule) => rule.slice(0, -1))
}

function readCache(file: string): CachedScript | undefined {
  try {
    // Our own file in a folder closed to others; a cut one does not parse and is made again.
    const value: CachedScript = JSON.parse(readFileSync(file, 'utf8'))
    return value
  } catch {
    return undefined
  }
}

function isFresh(cached: CachedScript): boolean {
  const now = digestsOf(Object.keys(cached.digests))
  return Object.entries(cached.digests).every(([file, digest]) => now[file] === digest)
}

/** A missing file has a digest too: that it appears is a change. */
function digestsOf(files: readonly string[]): Record<string, string> {
  return Object.fromEntries(
    files.map((file) => [
      file,
      existsSync(file) ? createHash('sha256').update(readFileSync(file)).digest('hex') : 'missing',
    ]),
  )
}
