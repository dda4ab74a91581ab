// npm run check: every guard that needs no running service, one after another, all of them even when one fails.
import { spawnSync } from 'node:child_process'
import path from 'node:path'
import { installPackages, pinnedEnvironment, pinnedNode, root } from './packages.mjs'

installPackages()

/** What was found of each room's types, so that the next run looks only at what changed. */
const knownTypes = path.join(root, 'node_modules', '.cache', 'types')

const typeRooms = ['shared', 'workers', 'local', 'web', 'test', 'test-workerd']
const steps = [
  ['format and lint', 'node_modules/@biomejs/biome/bin/biome', ['check', '--error-on-warnings']],
  ...typeRooms.map((room) => [
    `types of ${room}`,
    'node_modules/typescript-native/bin/tsc',
    ['-p', `tsconfig.${room}.json`, '--incremental', '--tsBuildInfoFile', path.join(knownTypes, `${room}.tsbuildinfo`)],
  ]),
  [
    'boundaries',
    'node_modules/dependency-cruiser/bin/dependency-cruiser.mjs',
    ['--config', '.dependency-cruiser.cjs', '--output-type', 'err', 'workers', 'local', 'shared', 'scripts', 'test'],
  ],
  ['unused code', 'node_modules/knip/bin/knip.js', []],
  ['admission to shared/', 'scripts/check-shared.ts', []],
  ['coverage of the requirements', 'scripts/check-coverage.ts', []],
  ['site definitions', 'scripts/check-site-definitions.ts', []],
  ['supply chain', 'scripts/check-supply-chain.ts', []],
  ['generated files', 'scripts/check-generated.mjs', []],
]

let failures = 0
for (const [name, script, args] of steps) {
  const started = Date.now()
  const outcome = spawnSync(pinnedNode(), [path.join(root, script), ...args], {
    cwd: root,
    env: pinnedEnvironment(),
    encoding: 'utf8',
    maxBuffer: 64 * 1024 * 1024,
  })
  const passed = outcome.status === 0
  process.stdout.write(`${passed ? 'ok  ' : 'FAIL'} ${name} (${Date.now() - started} ms)\n`)
  if (!passed) {
    failures += 1
    process.stdout.write(`${outcome.stdout}${outcome.stderr}\n`)
  }
}
process.exit(failures === 0 ? 0 : 1)
