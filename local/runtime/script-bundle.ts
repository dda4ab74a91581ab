/**
 * The bundle of the Worker script for this process, kept in the data folder beside a digest of every file it was made from.
 */

import { createHash } from 'node:crypto'
import { existsSync, mkdirSync, readFileSync, renameSync, writeFileSync } from 'node:fs'
import path from 'node:path'
import type { BuildOptions } from 'esbuild'
import { causeOf } from '#shared/kernel/fault-words.ts'
import { failWith, type Result, succeed } from '#shared/kernel/result.ts'
import type { StartFault } from '../operating/start-faults.ts'

const projectRoot = path.resolve(import.meta.dirname, '..', '..')
const packageLock = path.join(projectRoot, 'package-lock.json')

/** The name of the file that holds the script. */
export async function keptScript(
  main: string,
  cacheFolder: string,
  log: (line: string) => void,
): Promise<Result<string, StartFault>> {
  const name = createHash('sha256').update(main).digest('hex').slice(0, 16)
  const file = path.join(cacheFolder, `node-script-${name}.cjs`)
  const noteFile = path.join(cacheFolder, `node-script-${name}.json`)
  if (existsSync(file) && isFresh(noteFile)) return succeed(file)
  log('Bundling the Worker script…')
  const esbuild = await import('esbuild')
  try {
    const built = await esbuild.build(scriptBundling(main))
    const inputs = Object.keys(built.metafile.inputs)
      .filter((input) => input !== '<stdin>' && !input.split('/').includes('node_modules'))
      .map((input) => path.resolve(projectRoot, input))
    mkdirSync(cacheFolder, { recursive: true, mode: 0o700 })
    writeWhole(file, built.outputFiles.map(({ text }) => text).join('\n'))
    writeWhole(noteFile, JSON.stringify(digestsOf([packageLock, ...inputs])))
    return succeed(file)
  } catch (error) {
    return failWith({ kind: 'script_unbuilt', cause: causeOf(error) })
  } finally {
    // Its process would stay for the next build, which does not come.
    await esbuild.stop()
  }
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
    keepNames: true,
    absWorkingDir: projectRoot,
    logLevel: 'silent',
  } as const satisfies BuildOptions
}

/** The script, and beside it its gateway, which this process serves on its own messages. */
function entryOf(main: string): string {
  const script = JSON.stringify(`./${path.basename(main)}`)
  const whole = `export * from ${script}\nexport { default } from ${script}\n`
  const hasGateway = existsSync(path.join(path.dirname(main), 'own-gateway.ts'))
  return hasGateway ? `${whole}export { theGateway } from './own-gateway.ts'\n` : whole
}

export function writeWhole(file: string, content: string | Buffer): void {
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
  const all = new Set([...files, path.join(import.meta.dirname, 'script-bundle.ts')])
  return Object.fromEntries(
    [...all].map((file) => [
      file,
      existsSync(file) ? createHash('sha256').update(readFileSync(file)).digest('hex') : 'missing',
    ]),
  )
}
