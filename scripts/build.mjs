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
const singleFiles = ['package-lock.json', 'scripts/page-build.ts', 'tsconfig.web.json', 'tsconfig.base.json']

/** Resolves with an exit code; 0 also when there was nothing to do. */
export async function buildPages() {
  mkdirSync(consoleOutput, { recursive: true })
  // One configuration a page: vite.config.ts, and vite.NAME.config.ts beside it.
  const configs = readdirSync(root).filter((name) => /^vite(\.[a-z-]+)?\.config\.ts$/.test(name))
  const wanted = sourcesHash([...singleFiles, ...configs])
  if (existsSync(stamp) && readFileSync(stamp, 'utf8') === wanted) return 0
  process.stderr.write('Building the pages…\n')
  rmSync(stamp, { force: true })
  for (const config of configs) {
    const code = await run('node_modules/vite/bin/vite.js', ['build', '--config', config, '--logLevel', 'warn'])
    if (code !== 0) return code
  }
  writeFileSync(stamp, wanted)
  return 0
}

/** Every file that may be bundled: the web rooms, and the TypeScript that their types and tables come from. */
function sourcesHash(files) {
  const hash = createHash('sha256')
  const add = (file) => {
    hash.update(`${path.relative(root, file)}\0`)
    hash.update(readFileSync(file))
  }
  for (const file of files.map((name) => path.join(root, name)).filter((file) => existsSync(file))) add(file)
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
