// npm run dev -- [wrangler's flags]: what the edge runs, on this machine, as wrangler serves it: secrets of its own,
// migrations applied, pages built.
import { randomBytes } from 'node:crypto'
import { existsSync, mkdirSync, readFileSync, writeFileSync } from 'node:fs'
import path from 'node:path'
import { installPackages, refuse, root, run } from './packages.mjs'

installPackages()
const args = process.argv.slice(2)
const port = flagValue('--port') ?? '8788'
const folder = path.resolve(flagValue('--persist-to') ?? path.join(root, '.wrangler', 'state'))
const wrangler = 'node_modules/wrangler/bin/wrangler.js'

/** Kept beside the database that is sealed with them. */
const secretsFile = path.join(folder, 'secrets.env')
if (!existsSync(secretsFile)) {
  const code = () => randomBytes(32).toString('base64url')
  const lines = [`MASTER_KEY=${randomBytes(32).toString('base64')}`, `SETUP_CODE=${code()}`, `API_KEY=${code()}`]
  mkdirSync(folder, { recursive: true, mode: 0o700 })
  writeFileSync(secretsFile, `${lines.join('\n')}\n`, { mode: 0o600 })
}
const migrated = await run(wrangler, ['d1', 'migrations', 'apply', 'wharf', '--local', '--persist-to', folder], {
  // It draws a table of all steps after each: more than a pipe that nobody reads holds.
  stdio: ['ignore', 'ignore', 'inherit'],
  env: { ...process.env, CI: 'true' },
})
if (migrated !== 0) refuse('The migrations could not be applied; the lines above say why')
const code = /^SETUP_CODE=(\S+)$/m.exec(readFileSync(secretsFile, 'utf8'))?.[1]
process.stdout.write(`Set the owner’s password, once: http://127.0.0.1:${port}/#/setup?code=${code}\n`)
const own = ['--ip', '127.0.0.1', '--port', port, '--persist-to', folder, '--env-file', secretsFile]
process.exit(await run(wrangler, ['dev', ...own, ...args]))

function flagValue(flag) {
  const at = args.indexOf(flag)
  if (at < 0) return undefined
  const [, value] = args.splice(at, 2)
  return value ?? refuse(`${flag} takes a value`)
}
