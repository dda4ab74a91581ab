// npm run backup -- FILE|FOLDER, npm run backup -- verify FILE, npm run restore -- FILE
import { installPackages, run } from './packages.mjs'

installPackages()
process.exit(await run('local/backup.ts', process.argv.slice(2), { cwd: process.cwd() }))
