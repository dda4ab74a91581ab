/**
 * The bundle of the Worker script for this process, kept beside a digest of every file it was made from. It and what V8
 * makes of it are named by what they are made of: processes of several data folders use one place at once.
 */
import { createHash } from 'node:crypto'
import { existsSync, mkdirSync, readdirSync, readFileSync, rmSync, statSync } from 'node:fs'
import os from 'node:os'
import path from 'node:path'
import { cachedDataVersionTag } from 'node:v8'
import type { BuildOptions } from 'esbuild'
import { causeOf } from '#shared/kernel/fault-words.ts'
import { failWith, type Result, succeed } from '#shared/kernel/result.ts'
import { keptFolder } from '../../bin/kept-folder.mjs'
import { replaceFile } from '../files/replace-file.ts'
import type { StartFault } from '../operating/start-faults.ts'

const projectRoot = path.resolve(import.meta.dirname, '..', '..')
const packageLock = path.join(projectRoot, 'package-lock.json')

export interface KeptScript {
  readonly file: string
  readonly text: string
  readonly digest: string
  /** Where what V8 makes of it is kept. */
  readonly compiledFolder: string
}

interface Note {
  readonly script: string
  /** Of the bundle as it was put there: as long as it holds, the bundle is what its name says. */
  readonly stamp?: string
  readonly sources: Readonly<Record<string, NotedSource>>
}

/** A file as it was: whoever has the same length and time is not read. */
interface NotedSource {
  readonly stamp: string
  readonly digest: string
}

/** One place for all data folders of a user; without one that is safe, the data folder itself. */
export function scriptFolder(dataFolder: string): string {
  const shared = keptFolder(process.env, os.homedir())
  return shared === undefined ? path.join(dataFolder, 'cache') : path.join(shared, 'scripts')
}

export async function keptScript(
  main: string,
  cacheFolder: string,
  log: (line: string) => void,
): Promise<Result<KeptScript, StartFault>> {
  const noteFile = path.join(cacheFolder, `${stemOf(main)}.json`)
  const kept = readKept(noteFile)
  if (kept !== undefined) return succeed({ ...kept, compiledFolder: cacheFolder })
  log('Bundling the Worker script…')
  const esbuild = await import('esbuild')
  try {
    const built = await esbuild.build(scriptBundling(main))
    const inputs = Object.keys(built.metafile.inputs)
      .filter((input) => input !== '<stdin>' && !input.split('/').includes('node_modules'))
      .map((input) => path.resolve(projectRoot, input))
    const text = scriptText(built.outputFiles)
    const digest = digestOf(text)
    const script = `${stemOf(main)}-${digest}.cjs`
    const file = path.join(cacheFolder, script)
    mkdirSync(cacheFolder, { recursive: true, mode: 0o700 })
    replaceFile(file, text)
    const note: Note = { script, stamp: stampOf(file), sources: notedSources([packageLock, ...inputs], {}) }
    replaceFile(noteFile, JSON.stringify(note))
    forgetGoneTrees(cacheFolder)
    return succeed({ file, text, digest, compiledFolder: cacheFolder })
  } catch (error) {
    return failWith({ kind: 'script_unbuilt', cause: causeOf(error) })
  } finally {
    // Its process would stay for the next build, which does not come.
    await esbuild.stop()
  }
}

/** A script that is there already, as in a package, and beside it what its digest is. */
export function builtScript(file: string, cacheFolder: string): KeptScript {
  const digest = readFileSync(digestFileOf(file), 'utf8').trim()
  return { file, text: readFileSync(file, 'utf8'), digest, compiledFolder: cacheFolder }
}

export function digestFileOf(script: string): string {
  return `${script}.digest`
}

/** Keeps what V8 made of a script, and nothing that was made of an earlier one in its place. */
export function keepCompiled(script: KeptScript, main: string, given: readonly string[], compiled: Buffer): void {
  const { digest, compiledFolder: folder } = script
  mkdirSync(folder, { recursive: true, mode: 0o700 })
  replaceFile(compiledFileOf(script, main, given), compiled)
  const ofThis = `${stemOf(main)}-${digest}`
  for (const name of readdirSync(folder)) {
    const isEarlier = name.startsWith(`${stemOf(main)}-`) && !name.startsWith(ofThis)
    if (isEarlier) rmSync(path.join(folder, name), { force: true })
  }
}

/**
 * V8 itself looks at the length of a script alone: not at its text, and not at what it is `given`, by whose places
 * compiled code finds it. Under other flags than its own it is refused: each has its own file.
 */
export function compiledFileOf(script: KeptScript, main: string, given: readonly string[]): string {
  const places = digestOf(given.join())
  const name = `${stemOf(main)}-${script.digest}-${places}-${cachedDataVersionTag().toString(16)}.v8`
  return path.join(script.compiledFolder, name)
}

function stemOf(main: string): string {
  return `node-script-${digestOf(main)}`
}

export function digestOf(text: string): string {
  return createHash('sha256').update(text).digest('hex').slice(0, 16)
}

/** What the bundler is told; a package is built by the same words. */
export function scriptBundling(main: string) {
  return {
    stdin: { contents: entryOf(main), resolveDir: path.dirname(main), loader: 'ts' },
    bundle: true,
    write: false,
    metafile: true,
    format: 'cjs',
    platform: 'browser',
    target: 'es2024',
    conditions: ['workerd', 'worker', 'browser'],
    external: ['node:*', 'cloudflare:workers'],
    loader: { '.toml': 'text' },
    absWorkingDir: projectRoot,
    logLevel: 'silent',
  } as const satisfies BuildOptions
}

/** Of what the bundler made. */
export function scriptText(outputs: readonly { readonly text: string }[]): string {
  return inAscii(outputs.map(({ text }) => text).join('\n'))
}

/**
 * One sign beyond ASCII, and V8 holds the whole text in memory at two bytes a character. The bundler escapes them in texts
 * and names, and leaves them in regular expressions, where they mean the same escaped unless a backslash stands before
 * them, and in comments.
 */
export function inAscii(text: string): string {
  return text.replace(/(?<!\\)[^\0-\x7f]/g, (sign) => `\\u${sign.charCodeAt(0).toString(16).padStart(4, '0')}`)
}

/** The script, and beside it its gateway, which this process serves on its own messages. */
function entryOf(main: string): string {
  const script = JSON.stringify(`./${path.basename(main)}`)
  const whole = `export * from ${script}\nexport { default } from ${script}\n`
  const hasGateway = existsSync(path.join(path.dirname(main), 'own-gateway.ts'))
  return hasGateway ? `${whole}export { theGateway } from './own-gateway.ts'\n` : whole
}

const noteName = /^(node-script-[0-9a-f]{16})\.json$/

/** What was made of files that are there no more, and nobody else would ever take away. */
function forgetGoneTrees(folder: string): void {
  const names = readdirSync(folder)
  for (const name of names) {
    const stem = noteName.exec(name)?.[1]
    if (stem === undefined || areThere(path.join(folder, name))) continue
    for (const one of names) if (one.startsWith(stem)) rmSync(path.join(folder, one), { force: true })
  }
}

function areThere(noteFile: string): boolean {
  try {
    const { sources }: Note = JSON.parse(readFileSync(noteFile, 'utf8'))
    return Object.entries(sources).every(([file, { stamp }]) => stamp === '' || existsSync(file))
  } catch {
    return false
  }
}

/** Undefined for one of other sources, and for one that is not whole. */
function readKept(noteFile: string): Omit<KeptScript, 'compiledFolder'> | undefined {
  try {
    const { script, stamp: kept, sources }: Note = JSON.parse(readFileSync(noteFile, 'utf8'))
    const now = notedSources(Object.keys(sources), sources)
    if (Object.entries(sources).some(([file, { digest }]) => now[file]?.digest !== digest)) return undefined
    const file = path.join(path.dirname(noteFile), script)
    const stamp = stampOf(file)
    const text = readFileSync(file, 'utf8')
    const digest = /-([0-9a-f]{16})\.cjs$/.exec(script)?.[1] ?? ''
    if (stamp !== kept && digest !== digestOf(text)) return undefined
    const areStampsNew =
      stamp !== kept || Object.entries(sources).some(([source, { stamp: known }]) => now[source]?.stamp !== known)
    if (areStampsNew) replaceFile(noteFile, JSON.stringify({ script, stamp, sources: now } satisfies Note))
    return { file, text, digest }
  } catch {
    return undefined
  }
}

/** Reads those alone whose length or time is another than they were `before`. */
function notedSources(files: readonly string[], before: Note['sources']): Record<string, NotedSource> {
  // How it is made is a part of what is made.
  const all = new Set([...files, path.join(import.meta.dirname, 'script-bundle.ts')])
  return Object.fromEntries(
    [...all].map((file) => {
      const stamp = stampOf(file)
      if (stamp === '') return [file, { stamp, digest: 'missing' }]
      const known = before[file]
      if (known?.stamp === stamp) return [file, known]
      return [file, { stamp, digest: createHash('sha256').update(readFileSync(file)).digest('hex') }]
    }),
  )
}

function stampOf(file: string): string {
  const found = statSync(file, { bigint: true, throwIfNoEntry: false })
  return found === undefined ? '' : `${found.size} ${found.mtimeNs}`
}
