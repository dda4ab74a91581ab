import path from 'node:path'
import { build } from 'esbuild'
import { describe, test } from 'vitest'

const root = path.resolve(import.meta.dirname, '..', '..', '..')

/** What a start loads of this machine's own, in its three steps; the script is one file beside them. */
const steps = ['local/serve.ts', 'local/workerd/worker-host.ts', 'local/runtime/node-host.ts']

/** Everything that is loaded with it, and not only when it is asked for. */
async function loadedWith(entry: string): Promise<ReadonlySet<string>> {
  const { metafile } = await build({
    entryPoints: [path.join(root, entry)],
    absWorkingDir: root,
    bundle: true,
    write: false,
    metafile: true,
    splitting: true,
    outdir: 'out',
    platform: 'node',
    format: 'esm',
    external: ['miniflare', 'wrangler', 'esbuild'],
  })
  const loaded = new Set<string>()
  const follow = (file: string) => {
    if (loaded.has(file)) return
    loaded.add(file)
    for (const one of metafile.inputs[file]?.imports ?? [])
      if (one.external !== true && one.kind !== 'dynamic-import') follow(one.path)
  }
  follow(entry)
  return loaded
}

describe.each(steps)('%s', (entry) => {
  test('waits for none of what is loaded when it is asked for', async ({ expect }) => {
    const loaded = [...(await loadedWith(entry))]
    expect(loaded).toContain(entry)
    const late = [
      /^node_modules\/(zod|hono|@hono|@asteasolutions)\//,
      /^local\/(agent\/contract|gateway\/sandbox\/start-sandbox|backup\/(backup-file|manifest|bucket)\.ts)/,
    ]
    expect(loaded.filter((file) => late.some((one) => one.test(file)))).toEqual([])
  })
})
