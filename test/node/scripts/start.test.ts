/** What the bootstrap does before anything is served: packages whatever the environment says, and answers to questions. */
import { spawnSync } from 'node:child_process'
import {
  chmodSync,
  copyFileSync,
  existsSync,
  mkdirSync,
  mkdtempSync,
  readFileSync,
  rmSync,
  writeFileSync,
} from 'node:fs'
import os from 'node:os'
import path from 'node:path'
import { afterAll, beforeAll, describe, test } from 'vitest'
import packageFacts from '../../../package.json' with { type: 'json' }
import { version } from '../../../workers/version.ts'

const root = path.resolve(import.meta.dirname, '../../..')

function run(args: readonly string[], env: NodeJS.ProcessEnv = {}, cwd = root) {
  return spawnSync(process.execPath, args, { cwd, encoding: 'utf8', env: { ...process.env, ...env } })
}

describe('the version', () => {
  test('is one, in the package and in what is served', ({ expect }) => {
    expect(version).toBe(packageFacts.version)
  })

  test.for([
    'scripts/start.mjs',
    'local/serve.ts',
    'local/serve.mjs',
    'bin/svc.mjs',
    'bin/indexer.mjs',
    'local/gateway.ts',
  ])('is printed by %s', (program, { expect }: { expect: typeof import('vitest').expect }) => {
    const { status, stdout } = run([program, '--version'])
    expect([status, stdout.trim().split(' ').at(-1)]).toEqual([0, packageFacts.version])
  })
})

describe('npm start', () => {
  let tree: string

  /** The bootstrap in a tree of its own, with a package manager that writes down what it was asked. */
  beforeAll(() => {
    tree = mkdtempSync(path.join(os.tmpdir(), 'wharf-bootstrap-'))
    mkdirSync(path.join(tree, 'scripts'))
    mkdirSync(path.join(tree, 'bin'))
    mkdirSync(path.join(tree, 'node_modules'))
    mkdirSync(path.join(tree, 'local'))
    writeFileSync(
      path.join(tree, 'local', 'serve.mjs'),
      "console.log('served', ...process.argv.slice(2))\nprocess.exit(0)\n",
    )
    writeFileSync(path.join(tree, 'vite.config.ts'), '')
    for (const name of ['lean-process.mjs', 'packages.mjs', 'pinned-node.mjs', 'build.mjs', 'start.mjs'])
      copyFileSync(path.join(root, 'scripts', name), path.join(tree, 'scripts', name))
    writeFileSync(path.join(tree, 'package-lock.json'), '{}')
    writeFileSync(
      path.join(tree, 'go.mjs'),
      "import { installPackages } from './scripts/packages.mjs'\ninstallPackages()\n",
    )
    const npm = path.join(tree, 'bin', 'npm')
    writeFileSync(
      npm,
      `#!/bin/sh\necho "$@" >> ${tree}/asked\nmkdir -p ${tree}/node_modules/vite\necho '{}' > ${tree}/node_modules/vite/package.json\n`,
    )
    chmodSync(npm, 0o755)
  })
  afterAll(() => rmSync(tree, { recursive: true, force: true }))

  const install = (env: NodeJS.ProcessEnv = {}) => {
    const done = run(
      [path.join(tree, 'go.mjs')],
      { ...env, PATH: `${tree}/bin${path.delimiter}${process.env['PATH']}` },
      tree,
    )
    if (done.status !== 0) throw new Error(done.stderr)
    const asked = path.join(tree, 'asked')
    return existsSync(asked) ? readFileSync(asked, 'utf8').trim().split('\n') : []
  }

  test('installs what builds the pages also with NODE_ENV=production, and once', ({ expect }) => {
    expect(install({ NODE_ENV: 'production' })).toEqual([expect.stringContaining('install --include=dev ')])
    expect(install({ NODE_ENV: 'production' })).toHaveLength(1)
    expect(install()).toHaveLength(1)
  })

  test('installs again where an earlier start left that out', ({ expect }) => {
    rmSync(path.join(tree, 'node_modules', 'vite'), { recursive: true })
    expect(install()).toHaveLength(2)
    expect(install()).toHaveLength(2)
  })

  test.for(['--help', '-h', '--version'])('builds nothing for %s', (flag, { expect }) => {
    const { status, stdout } = run([path.join(tree, 'scripts', 'start.mjs'), flag], {}, tree)
    expect([status, stdout]).toEqual([0, `served --workers --keep-index ${flag}\n`])
    expect(existsSync(path.join(tree, 'dist'))).toBe(false)
  })

  test('builds for everything else', ({ expect }) => {
    const { stderr } = run([path.join(tree, 'scripts', 'start.mjs'), '--port', '0'], {}, tree)
    expect(stderr).toContain('Building the pages')
  })
})
