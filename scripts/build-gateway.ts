// npm run build:gateway -- [FOLDER] [--no-executable]: the gateway as one file that any Node from 24 on runs by itself,
// and as an executable for this platform, which needs no Node at all.
import { execFileSync } from 'node:child_process'
import { chmod, copyFile, mkdir, mkdtemp, readFile, rm, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import path from 'node:path'
import { parseArgs } from 'node:util'
import { type BuildOptions, build } from 'esbuild'
import { inject } from 'postject'
import { inAscii } from '../local/runtime/script-bundle.ts'
import { registriesInside } from './built-in-registries.ts'
import { leanNodeFlags } from './lean-process.mjs'

const root = path.dirname(import.meta.dirname)
const { values, positionals } = parseArgs({
  allowPositionals: true,
  options: { 'no-executable': { type: 'boolean' } },
})
const folder = path.resolve(positionals[0] ?? path.join(root, 'dist/gateway'))

const bundling: BuildOptions = {
  entryPoints: [path.join(root, 'local/gateway.ts')],
  bundle: true,
  minify: true,
  platform: 'node',
  target: 'node24',
  plugins: [registriesInside],
  logLevel: 'error',
}

async function writeInAscii(file: string): Promise<void> {
  await writeFile(file, inAscii(await readFile(file, 'utf8')))
}

async function buildFile(): Promise<string> {
  const outfile = path.join(folder, 'gateway.mjs')
  await build({
    ...bundling,
    outfile,
    format: 'esm',
    // Packages written for require() find it here.
    banner: { js: "import { createRequire } from 'node:module'; const require = createRequire(import.meta.url);" },
  })
  await writeInAscii(outfile)
  return outfile
}

/** The word in Node's own binary that says whether a program was put into it. */
const fuse = 'NODE_SEA_FUSE_fce680ab2cc467b6e072b8b5df1996b2'

/** This Node with the gateway inside, by the runtime's own means for it. */
async function buildExecutable(): Promise<string> {
  const suffix = process.platform === 'win32' ? '.exe' : ''
  const executable = path.join(folder, `gateway-${process.platform}-${process.arch}${suffix}`)
  const work = await mkdtemp(path.join(tmpdir(), 'gateway-executable-'))
  const main = path.join(work, 'gateway.cjs')
  const output = path.join(work, 'gateway.blob')
  await build({ ...bundling, outfile: main, format: 'cjs' })
  await writeInAscii(main)
  const settings = { main, output, disableExperimentalSEAWarning: true, execArgv: leanNodeFlags }
  await writeFile(path.join(work, 'settings.json'), JSON.stringify(settings))
  execFileSync(process.execPath, ['--experimental-sea-config', path.join(work, 'settings.json')], { stdio: 'pipe' })
  await rm(executable, { force: true })
  await copyFile(process.execPath, executable)
  await chmod(executable, 0o755)
  await quietly(async () => {
    await inject(executable, 'NODE_SEA_BLOB', await readFile(output), {
      sentinelFuse: fuse,
      machoSegmentName: 'NODE_SEA',
    })
  })
  await rm(work, { recursive: true })
  return executable
}

/** The injector writes warnings about sections of the binary that it leaves alone. */
async function quietly(task: () => Promise<void>): Promise<void> {
  const { log, warn, error } = console
  Object.assign(console, { log: () => {}, warn: () => {}, error: () => {} })
  try {
    await task()
  } finally {
    Object.assign(console, { log, warn, error })
  }
}

await mkdir(folder, { recursive: true })
process.stdout.write(`${await buildFile()}\n`)
if (values['no-executable'] !== true) {
  process.stdout.write(`${await buildExecutable()}\n`)
  if (process.platform === 'darwin') process.stdout.write('sign it before use: codesign --sign - FILE\n')
}
