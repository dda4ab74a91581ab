/** One planted violation per rule of .dependency-cruiser.cjs: a rule that matches nothing any more is noticed. */
import { spawnSync } from 'node:child_process'
import { readFileSync } from 'node:fs'
import { createRequire } from 'node:module'
import path from 'node:path'
import { test } from 'vitest'
import { plantTree } from '../../support/planted-tree.ts'

const root = path.resolve(import.meta.dirname, '../../..')
const config: { forbidden: { name: string }[] } = createRequire(import.meta.url)(
  path.join(root, '.dependency-cruiser.cjs'),
)

/** The file that breaks the rule, and its text. Each breaks exactly the rule it stands for. */
const violations: Readonly<Record<string, readonly (readonly [file: string, text: string])[]>> = {
  'families-are-strangers-app': [['workers/app/planted.ts', "import '../gateway/limits.ts'"]],
  'families-are-strangers-gateway': [['workers/gateway/planted.ts', "import type {} from '../app/limits.ts'"]],
  'families-are-strangers-agent': [['local/agent/planted.ts', "import '../viewer/limits.ts'"]],
  'families-are-strangers-viewer': [['local/viewer/planted.ts', "import '../agent/limits.ts'"]],
  'shared-is-a-leaf': [['shared/idea/planted.ts', "import '../../local/workerd/host.ts'"]],
  'core-is-pure': [
    ['workers/app/core/planted-builtin.ts', "import 'node:fs'"],
    ['workers/app/core/planted-package.ts', "import 'zod'"],
    ['workers/app/core/planted-tool.ts', "import 'vitest'"],
  ],
  'core-imports-core': [['workers/app/core/planted-limits.ts', "import '../limits.ts'"]],
  'http-not-to-adapters': [['local/agent/http/planted.ts', "import '../runtime/host.ts'"]],
  'contract-knows-core-only': [['workers/app/contract/planted.ts', "import '../http/route.ts'"]],
  'only-compose-wires': [['workers/app/planted-wiring.ts', "import './adapters/store.ts'"]],
  'what-works-is-handed-its-adapters': [
    ['workers/app/jobs/planted.ts', "import '../adapters/store.ts'"],
    ['workers/app/services/planted.ts', "import '../compose.ts'"],
    ['workers/app/services/pushes/planted.ts', "import '../../adapters/store.ts'"],
    ['workers/app/objects/planted.ts', "import '../adapters/store.ts'"],
  ],
  'adapters-wire-nothing': [
    ['workers/app/adapters/planted-object.ts', "import '../objects/site-object.ts'"],
    ['workers/app/adapters/planted-job.ts', "import '../jobs/registry.ts'"],
  ],
  'one-place-opens-secrets': [['workers/app/compose/planted.ts', "import '../adapters/secret-box.ts'"]],
  'workers-not-to-local': [['workers/gateway/planted-local.ts', "import '../../local/workerd/host.ts'"]],
  'only-hosts-reach-workers': [['local/indexer/planted.ts', "import '../../workers/gateway/limits.ts'"]],
  'web-sees-contract-types-only': [
    ['workers/app/web/planted-value.ts', "import { shape } from '../contract/shape.ts'\nshape"],
  ],
  'web-sees-contract-only': [
    ['workers/app/web/planted-type.ts', "import type { Rule } from '../core/rule.ts'\nexport type R = Rule"],
  ],
  'nothing-imports-test': [['scripts/planted.ts', "import '../test/support/probe.ts'"]],
  'no-circular': [['shared/idea/planted-circle.ts', "import './planted-circle-back.ts'"]],
  'no-orphans': [['shared/idea/planted-orphan.ts', 'export const alone = 1']],
}

/** What the planted files import, and one lawful import per direction that the architecture allows. */
const lawfulTree: Readonly<Record<string, string>> = {
  'workers/gateway/limits.ts': 'export const limit = 1',
  'workers/app/limits.ts': 'export type Limit = 1\nexport const limit = 1',
  'workers/app/http/route.ts': "import '../contract/shape.ts'",
  'workers/app/contract/shape.ts':
    "import '../core/rule.ts'\nimport 'zod'\nexport const shape = 1\nexport type Shape = 1",
  'workers/app/core/rule.ts': "import '#shared/idea/leaf.ts'\nexport type Rule = 1",
  'workers/app/core/vocabulary.ts': "export const word = 'word'",
  'workers/app/adapters/store.ts': "import '../core/rule.ts'\nexport type Store = 1",
  'workers/app/adapters/secret-box.ts': "import '../core/rule.ts'",
  'workers/app/compose/secrets.ts': "import '../adapters/secret-box.ts'",
  'workers/app/objects/site-object.ts': "import type { Store } from '../adapters/store.ts'\nexport type S = Store",
  'workers/app/jobs/registry.ts': "import type { Store } from '../adapters/store.ts'\nexport type S = Store",
  'workers/app/web/page.ts':
    "import type { Shape } from '../contract/shape.ts'\nimport { limit } from '../limits.ts'\nimport { word } from '../core/vocabulary.ts'\nexport type S = Shape\nlimit + word",
  'workers/app/compose.ts':
    "import './adapters/store.ts'\nimport './http/route.ts'\nimport './compose/secrets.ts'\nimport './objects/site-object.ts'\nimport './jobs/registry.ts'",
  'workers/worker.ts': "import './app/compose.ts'",
  'local/agent/limits.ts': 'export const limit = 1',
  'local/agent/runtime/host.ts': "import '../limits.ts'",
  'local/viewer/limits.ts': 'export const limit = 1',
  'local/workerd/host.ts': "import '../../workers/worker.ts'\nimport 'node:fs'",
  'local/serve.ts': "import './workerd/host.ts'",
  'shared/idea/leaf.ts': 'export const leaf = 1',
  'shared/idea/planted-circle-back.ts': "import './planted-circle.ts'",
  'test/support/probe.ts': "import '../../workers/app/compose.ts'",
  'node_modules/zod/package.json': '{"name":"zod","version":"1.0.0","main":"main.js"}',
  'node_modules/zod/main.js': '',
  'node_modules/vitest/package.json': '{"name":"vitest","version":"1.0.0","main":"main.js"}',
  'node_modules/vitest/main.js': '',
}

interface Cruise {
  readonly summary: { readonly violations: readonly { from: string; rule: { name: string } }[] }
}

test('every boundary rule fires on its planted violation, alone, and on nothing lawful', ({ expect }) => {
  const planted = Object.values(violations).flat()
  const tree = plantTree({
    ...lawfulTree,
    ...Object.fromEntries(planted),
    'package.json': readFileSync(path.join(root, 'package.json'), 'utf8'),
    'tsconfig.base.json': readFileSync(path.join(root, 'tsconfig.base.json'), 'utf8'),
    '.dependency-cruiser.cjs': readFileSync(path.join(root, '.dependency-cruiser.cjs'), 'utf8'),
  })

  const cruise = spawnSync(
    process.execPath,
    [
      path.join(root, 'node_modules/dependency-cruiser/bin/dependency-cruiser.mjs'),
      ...['--config', '.dependency-cruiser.cjs', '--output-type', 'json'],
      ...['workers', 'local', 'shared', 'scripts', 'test'],
    ],
    { cwd: tree, encoding: 'utf8' },
  )

  const report: Cruise = JSON.parse(cruise.stdout)
  // A circle has no beginning: which of its files is named is the tool's choice.
  const fired = new Set(
    report.summary.violations.map(({ from, rule }) => `${rule.name}: ${from.replace('-circle-back', '-circle')}`),
  )
  const expected = Object.entries(violations).flatMap(([rule, files]) => files.map(([file]) => `${rule}: ${file}`))
  expect([...fired].sort(), cruise.stderr).toEqual(expected.sort())
})

test('every boundary rule has a planted violation', ({ expect }) => {
  expect(Object.keys(violations).sort()).toEqual(config.forbidden.map(({ name }) => name).sort())
})
