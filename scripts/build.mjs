// npm run build: builds the pages with Vite when a source is newer than dist/ knows. wrangler runs it before it bundles.
import { createHash } from 'node:crypto'
import { existsSync, mkdirSync, readdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import path from 'node:path'
import { pathToFileURL } from 'node:url'
import { installPackages, root, run } from './packages.mjs'

const outputs = path.join(root, 'dist', 'web')
// wrangler and the own-machine host want the folder, also while there is no page to put into it.
const consoleOutput = path.join(outputs, 'console')
const stamp = path.join(outputs, '.sources-hash')
const sourceRooms = ['workers', 'local', 'shared']
const singleFiles = ['vite.config.ts', 'package-lock.json', 'tsconfig.web.json', 'tsconfig.base.json']

/** Resolves with an exit code; 0 also when there was nothing to do. */
export async function buildPages() {
  mkdirSync(consoleOutput, { recursive: true })
  if (!existsSync(path.join(root, 'vite.config.ts'))) return 0
  const wanted = sourcesHash()
  if (existsSync(stamp) && readFileSync(stamp, 'utf8') === wanted) return 0
  process.stderr.write('Building the pages…\n')
  rmSync(stamp, { force: true })
  // Two pages, two builds: the configuration says which when it is asked for by mode.
  const code = await run('node_modules/vite/bin/vite.js', ['build', '--logLevel', 'warn'])
  if (code === 0) writeFileSync(stamp, wanted)
  return code
}

/** Every file that may be bundled: the web rooms, and the TypeScript that their types and tables come from. */
function sourcesHash() {
  const hash = createHash('sha256')
  const add = (file) => {
    hash.update(`${path.relative(root, file)}\0`)
    hash.update(readFileSync(file))
  }
  for (const file of singleFiles.map((name) => path.join(root, name)).filter((file) => existsSync(file))) add(file)
  for (const room of sourceRooms.map((name) => path.join(root, name)).filter((folder) => existsSync(folder))) {
    const files = readdirSync(room, { recursive: true, withFileTypes: true })
      .filter((entry) => entry.isFile())
      .map((entry) => path.join(entry.parentPath, entry.name))
      .filter((file) => /\/(web|pages|contract|core)\//.test(file))
    for (const file of files.sort()) add(file)
  }
  return hash.digest('hex')
}

if (process.argv[1] !== undefined && import.meta.url === pathToFileURL(process.argv[1]).href) {
  installPackages()
  process.exit(await buildPages())
}
