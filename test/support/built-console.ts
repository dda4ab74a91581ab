/** Builds the console's pages once when their sources changed, and says where they lie. */
import { spawnSync } from 'node:child_process'
import path from 'node:path'

const root = path.resolve(import.meta.dirname, '../..')
export const builtConsole = path.join(root, 'dist/web/console')

export function buildConsole(): void {
  const built = spawnSync(process.execPath, [path.join(root, 'scripts/build.mjs')], {
    cwd: root,
    encoding: 'utf8',
    // The test runner's own value would make it a build for development.
    env: { ...process.env, NODE_ENV: undefined },
  })
  if (built.status !== 0) throw new Error(`the pages were not built: ${built.stdout}${built.stderr}`)
}
