/** What the build of the viewer's page leaves behind: nothing inline, nothing from elsewhere, and little for a first view. */
import { readdirSync, readFileSync } from 'node:fs'
import path from 'node:path'
import { gzipSync } from 'node:zlib'
import { beforeAll, describe, test } from 'vitest'
import { buildConsole } from '../support/built-console.ts'

const built = path.resolve(import.meta.dirname, '../../dist/web/viewer')
const read = (name: string): string => readFileSync(path.join(built, name), 'utf8')
const assets = (ending: string): string[] =>
  readdirSync(path.join(built, 'assets')).filter((name) => name.endsWith(ending))

/** A view's module with the modules it imports; the frame is the one that the document names. */
function scriptsOf(first: string, known = new Set<string>()): Set<string> {
  if (known.has(first)) return known
  known.add(first)
  for (const [, name] of read(`assets/${first}`).matchAll(/(?:from|import)\s*"\.\/([\w.-]+\.js)"/g))
    if (name !== undefined) scriptsOf(name, known)
  return known
}

describe("the viewer's page as it is built", () => {
  beforeAll(buildConsole)

  test('has no inline script, no inline style and no address elsewhere', ({ expect }) => {
    const html = read('index.html')
    expect(html).not.toMatch(/<script(?![^>]*\bsrc=)/)
    expect(html).not.toMatch(/<style|\sstyle=|\son[a-z]+=/)
    const addresses = [...html.matchAll(/(?:src|href)="([^"]+)"/g)].map(([, to]) => to)
    expect(addresses.filter((to) => !/^\/[^/]/.test(to ?? ''))).toEqual([])
  })

  test('applies the theme before the first paint, with a script that blocks', ({ expect }) => {
    const html = read('index.html')
    expect(html).toContain('<script src="/theme.js"></script>')
    expect(html.indexOf('/theme.js')).toBeLessThan(html.indexOf('rel="stylesheet"'))
  })

  test('needs no more than 60 KiB of script, compressed, for any one view', ({ expect }) => {
    const frame = /src="\/assets\/([\w.-]+\.js)"/.exec(read('index.html'))?.[1] ?? ''
    const views = ['home', 'symbol', 'file', 'flow', 'map', 'entries', 'dead-code', 'routes', 'trails']
    for (const view of views) {
      const [module] = assets('.js').filter((name) => new RegExp(`^${view}-[\\w-]{8}\\.js$`).test(name))
      if (module === undefined) throw new Error(`${view} was not built`)
      const scripts = [...scriptsOf(frame), ...scriptsOf(module)]
      const bytes = [...new Set(scripts)].reduce((sum, name) => sum + gzipSync(read(`assets/${name}`)).length, 0)
      console.log(`${view}: ${(bytes / 1024).toFixed(1)} KiB`)
      expect(bytes, view).toBeLessThanOrEqual(60 * 1024)
    }
  })
})
