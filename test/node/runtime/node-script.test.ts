import { mkdir, mkdtemp, readdir, readFile, rm, utimes, writeFile } from 'node:fs/promises'
import os from 'node:os'
import path from 'node:path'
import { type TestContext, test } from 'vitest'
import type { WorkersModule } from '../../../local/runtime/cloudflare-workers.ts'
import { readNodeScript } from '../../../local/runtime/node-script.ts'
import type { Platform } from '../../../local/runtime/platform.ts'
import { unwrap } from '../../support/unwrap.ts'

const script = `
globalThis.planted = 'by the script'
export const names = {
  bare: fetch,
  ofTheGlobalObject: globalThis.fetch,
  byChoice: (undefined ?? globalThis).fetch,
  planted: globalThis.planted,
  hasCrypto: typeof globalThis.crypto.subtle.digest,
  isThere: 'fetch' in globalThis && 'planted' in globalThis && !('nothing' in globalThis),
}
export default {}
`

async function makeFolder(onTestFinished: TestContext['onTestFinished']): Promise<string> {
  const folder = await mkdtemp(path.join(os.tmpdir(), 'wharf-script-'))
  onTestFinished(() => rm(folder, { recursive: true }))
  return folder
}

test('the script’s globals are the platform’s, wherever it names them', async ({ expect, onTestFinished }) => {
  const folder = await makeFolder(onTestFinished)
  await writeFile(path.join(folder, 'wrangler.toml'), 'name = "globals"\nmain = "script.ts"\n')
  await writeFile(path.join(folder, 'script.ts'), script)
  const read = unwrap(
    await readNodeScript(path.join(folder, 'wrangler.toml'), path.join(folder, 'kept'), () => undefined),
  )

  const ours = () => Promise.resolve(new Response())
  const { names } = read.load({ fetch: ours } as unknown as Platform, {} as WorkersModule) as unknown as {
    readonly names: unknown
  }
  expect(names).toEqual({
    bare: ours,
    ofTheGlobalObject: ours,
    byChoice: ours,
    planted: 'by the script',
    hasCrypto: 'function',
    isThere: true,
  })
  expect('planted' in globalThis).toBe(false)
})

test('is bundled again for another text alone, whatever the times of its files are', async ({
  expect,
  onTestFinished,
}) => {
  const folder = await makeFolder(onTestFinished)
  const [config, source, part] = ['wrangler.toml', 'script.ts', 'part.ts'].map((name) => path.join(folder, name)) as [
    string,
    string,
    string,
  ]
  await writeFile(config, 'name = "kept"\nmain = "script.ts"\n')
  await writeFile(source, "export { said } from './part.ts'\nexport default {}\n")
  await writeFile(part, "export const said = 'one'\n")
  const said = async () => {
    const lines: string[] = []
    const read = unwrap(await readNodeScript(config, path.join(folder, 'kept'), (line) => lines.push(line)))
    const loaded = read.load({} as Platform, {} as WorkersModule) as unknown as { readonly said: string }
    return [loaded.said, lines.length]
  }

  expect(await said()).toEqual(['one', 1])
  expect(await said()).toEqual(['one', 0])
  await utimes(part, 1, 1)
  expect(await said()).toEqual(['one', 0])
  expect(await said()).toEqual(['one', 0])
  await writeFile(part, "export const said = 'two'\n")
  expect(await said()).toEqual(['two', 1])
  await rm(part)
  await writeFile(source, "export const said = 'gone'\nexport default {}\n")
  expect(await said()).toEqual(['gone', 1])
})

test('takes what was made of a tree that is gone away with the next one that it makes', async ({
  expect,
  onTestFinished,
}) => {
  const folder = await makeFolder(onTestFinished)
  const kept = path.join(folder, 'kept')
  const make = async (name: string) => {
    const tree = path.join(folder, name)
    await mkdir(tree, { recursive: true })
    await writeFile(path.join(tree, 'wrangler.toml'), `name = "${name}"\nmain = "script.ts"\n`)
    await writeFile(path.join(tree, 'script.ts'), `export const said = '${name}'\nexport default {}\n`)
    const before = new Set(await readdir(kept).catch(() => []))
    unwrap(await readNodeScript(path.join(tree, 'wrangler.toml'), kept, () => undefined))
    return (await readdir(kept)).filter((made) => !before.has(made))
  }
  const [first, second] = [await make('first'), await make('second')]
  await rm(path.join(folder, 'first'), { recursive: true })
  const third = await make('third')

  expect([first.length, second.length, third.length]).toEqual([2, 2, 2])
  expect((await readdir(kept)).toSorted()).toEqual([...second, ...third].toSorted())
})

test('takes no bundle that somebody else changed', async ({ expect, onTestFinished }) => {
  const folder = await makeFolder(onTestFinished)
  const [config, kept] = [path.join(folder, 'wrangler.toml'), path.join(folder, 'kept')]
  await writeFile(config, 'name = "kept"\nmain = "script.ts"\n')
  await writeFile(path.join(folder, 'script.ts'), "export const said = 'ours'\nexport default {}\n")
  const said = async () => {
    const lines: string[] = []
    const read = unwrap(await readNodeScript(config, kept, (line) => lines.push(line)))
    const loaded = read.load({} as Platform, {} as WorkersModule) as unknown as { readonly said: string }
    return [loaded.said, lines.length]
  }
  expect(await said()).toEqual(['ours', 1])
  const bundle = path.join(kept, (await readdir(kept)).find((name) => name.endsWith('.cjs')) ?? '')
  const text = await readFile(bundle, 'utf8')

  // The same text at another time is the same; another text is not, whatever its length is.
  await writeFile(bundle, text)
  expect(await said()).toEqual(['ours', 0])
  await writeFile(bundle, text.replaceAll('ours', 'evil'))
  expect(await said()).toEqual(['ours', 1])
})

test('is held in memory at a byte a character, and means the same', async ({ expect, onTestFinished }) => {
  const folder = await makeFolder(onTestFinished)
  await writeFile(path.join(folder, 'wrangler.toml'), 'name = "signs"\nmain = "script.ts"\n')
  const patterns = '[/第[0-9]+集|🎬/u, /[「」]\\：/]'
  await writeFile(path.join(folder, 'script.ts'), `// 注\nexport const signs = ['第', ...${patterns}]`)
  const kept = path.join(folder, 'kept')
  const read = unwrap(await readNodeScript(path.join(folder, 'wrangler.toml'), kept, () => undefined))
  const { signs } = read.load({} as Platform, {} as WorkersModule) as unknown as { signs: [string, RegExp, RegExp] }
  const [bundle = ''] = (await readdir(kept)).filter((name) => name.endsWith('.cjs'))
  const text = await readFile(path.join(kept, bundle), 'utf8')

  // What an escape would change is left: a sign behind a backslash.
  expect(text.match(/[^\0-\x7f]/g)).toEqual(['：'])
  const [sign, han, brackets] = signs
  const found = [han.test('第12集'), han.test('🎬'), han.test('集'), brackets.test('」：')]
  expect([sign, ...found]).toEqual(['第', true, true, false, true])
})

test('takes no compiled code of a start that gave it other globals', async ({ expect, onTestFinished }) => {
  const folder = await makeFolder(onTestFinished)
  await writeFile(path.join(folder, 'wrangler.toml'), 'name = "globals"\nmain = "script.ts"\n')
  await writeFile(path.join(folder, 'script.ts'), script)
  const load = async (platform: object) => {
    const kept = path.join(folder, 'kept')
    const read = unwrap(await readNodeScript(path.join(folder, 'wrangler.toml'), kept, () => undefined))
    const loaded = read.load(platform as Platform, {} as WorkersModule) as unknown as { names: { bare: unknown } }
    return loaded.names.bare
  }
  const ours = () => Promise.resolve(new Response())
  expect(await load({ fetch: ours })).toBe(ours)
  expect(await load({ console, setTimeout, fetch: ours })).toBe(ours)
  expect(await load({ fetch: ours })).toBe(ours)
})
