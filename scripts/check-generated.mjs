// Every generated file must be what its source would generate now; nothing in the tree is changed to find out.
import { spawnSync } from 'node:child_process'
import { cpSync, mkdtempSync, readdirSync, readFileSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import path from 'node:path'
import { pinnedEnvironment, pinnedNode, root } from './packages.mjs'

const scratch = mkdtempSync(path.join(tmpdir(), 'wharf-generated-'))
const faults = []
const types = path.join(root, 'workers', '.worker-configuration.check.d.ts')

/** Runs a script under the pinned Node; its output is shown only when it fails. */
function generate(script, args) {
  const outcome = spawnSync(pinnedNode(), [path.join(root, script), ...args], {
    cwd: root,
    env: { ...pinnedEnvironment(), WRANGLER_SEND_METRICS: 'false' },
    encoding: 'utf8',
  })
  if (outcome.status !== 0) faults.push(`${script} failed:\n${outcome.stdout}${outcome.stderr}`)
}

try {
  generate('scripts/openapi.ts', ['--check'])

  // Beside the real one: the file names the script by its relative path.
  generate('node_modules/wrangler/bin/wrangler.js', ['types', types, '--include-runtime=false'])
  // The first lines name the command and the path it was given.
  const declarations = (file) => readFileSync(file, 'utf8').split('\n').slice(2).join('\n')
  if (
    faults.length === 0 &&
    declarations(types) !== declarations(path.join(root, 'workers/worker-configuration.d.ts'))
  ) {
    faults.push('workers/worker-configuration.d.ts does not match wrangler.toml; run `npm run types`')
  }

  const migrations = path.join(scratch, 'migrations')
  cpSync(path.join(root, 'migrations'), migrations, { recursive: true })
  const before = readdirSync(migrations).length
  generate('node_modules/drizzle-kit/bin.cjs', [
    'generate',
    '--dialect=sqlite',
    '--schema=workers/app/adapters/d1/schema/*.ts',
    `--out=${path.relative(root, migrations)}`,
  ])
  const [newest, ...older] = readdirSync(path.join(root, 'migrations/meta'))
    .filter((name) => name.endsWith('_snapshot.json'))
    .sort()
    .reverse()
  // A step is made from the newest alone; each holds the whole schema, so that the rest would grow with its square.
  for (const name of older) faults.push(`migrations/meta/${name} is older than ${newest}: remove it`)
  if (readdirSync(migrations).length !== before) {
    faults.push('migrations/ lacks a step for a change of the schema; run `npx drizzle-kit generate --name WHAT`')
  }
} finally {
  rmSync(scratch, { recursive: true })
  rmSync(types, { force: true })
}

for (const fault of faults) process.stderr.write(`${fault}\n`)
process.exit(faults.length === 0 ? 0 : 1)
