// npm test: installs what is missing, builds the pages, and runs every test project. Arguments go to vitest.
import { existsSync } from 'node:fs'
import path from 'node:path'
import { installPackages, root, run } from './packages.mjs'

installPackages()
if (existsSync(path.join(root, 'vite.config.ts')) && (await run('scripts/build.mjs', [])) !== 0) process.exit(1)
process.exit(await run('node_modules/vitest/vitest.mjs', ['run', ...process.argv.slice(2)]))
