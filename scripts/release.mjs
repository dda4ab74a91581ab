// npm run release -- [FOLDER] [--only package,image,debian,executable]: everything that is published of a version, built from this tree.
import { buildPages } from './build.mjs'
import { installPackages, refuse, run } from './packages.mjs'

installPackages()
if ((await buildPages()) !== 0) refuse('The pages could not be built; the lines above say why')
if ((await run('scripts/bundle-programs.ts', [])) !== 0) refuse('The programs could not be built')
process.exit(await run('scripts/release/release.ts', process.argv.slice(2)))
