// npm run build:package -- [FOLDER]: the package as a registry, another machine and the other ways to install want it.
// Not by `npm pack` alone: this project runs no script of a package, and npm holds to that for the project's own too.
import { spawnSync } from 'node:child_process'
import { mkdirSync } from 'node:fs'
import path from 'node:path'
import { buildPages } from './build.mjs'
import { installPackages, refuse, root, run } from './packages.mjs'

const folder = path.resolve(process.argv[2] ?? path.join(root, 'dist', 'package'))
installPackages()
if ((await buildPages()) !== 0) refuse('The pages could not be built; the lines above say why')
if ((await run('scripts/bundle-programs.ts', [])) !== 0) refuse('The programs could not be built')
mkdirSync(folder, { recursive: true })
const packed = spawnSync('npm', ['pack', '--silent', '--ignore-scripts', '--pack-destination', folder], {
  cwd: root,
  encoding: 'utf8',
})
if (packed.status !== 0) refuse(`npm pack failed: ${packed.stderr}`)
process.stdout.write(`${path.join(folder, packed.stdout.trim())}\n`)
