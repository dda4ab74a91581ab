/** Builds the pages before the first test of the project that looks at them, and says where the console's lie. */
import { spawnSync } from 'node:child_process'
import path from 'node:path'

const root = path.resolve(import.meta.dirname, '../..')
export const builtConsole = path.join(root, 'dist/web/console')

export function setup(): void {
  const built = spawnSync(process.execPath, [path.join(root, 'scripts/build.mjs')], {
    cwd: root,
    encoding: 'utf8',
    // The test runner's own value would make it a build for development.
    env: { ...process.env, NODE_ENV: undefined },
  })
  if (built.status !== 0) throw new Error(`the pages were not built: ${built.stdout}${built.stderr}`)
}
