/** What the build leaves behind: nothing inline, a strict policy, and a page small enough for a phone. */
import { readdirSync, readFileSync } from 'node:fs'
import path from 'node:path'
import { gzipSync } from 'node:zlib'
import { describe, test } from 'vitest'
import { parse } from 'yaml'
import { builtConsole } from '../support/built-console.ts'
import { builtHeaders } from '../support/stand-in-console.ts'

/** Until the first screen stands: the entry, the first words of one language, the overview, and what these import. */
const firstScriptBytesMax = 45 * 1024
/** What one reader can come to fetch, with every screen visited: all but the words of the language that is not read. Plans and messages of sites, and why a result is taken, came last. */
const allScriptBytesMax = 244 * 1024
const styleBytesMax = 12_800

function assets(ending: string): string[] {
  return readdirSync(path.join(builtConsole, 'assets')).filter((name) => name.endsWith(ending))
}

function gzipBytes(names: readonly string[]): number {
  return names.reduce((sum, name) => sum + gzipSync(readFileSync(path.join(builtConsole, 'assets', name))).length, 0)
}

/** With everything they import in turn; what is fetched later is not among it. */
function withImports(names: readonly string[]): string[] {
  const found = new Set<string>()
  const waiting = [...names]
  for (let name = waiting.pop(); name !== undefined; name = waiting.pop()) {
    if (found.has(name)) continue
    found.add(name)
    const code = readFileSync(path.join(builtConsole, 'assets', name), 'utf8')
    for (const [, next] of code.matchAll(/(?:from|import)\s*["']\.\/([^"']+\.js)["']/g)) waiting.push(next ?? '')
  }
  return [...found]
}

function startingWith(...heads: readonly string[]): string[] {
  return heads.map((head) => {
    const name = assets('.js').find((one) => one.startsWith(`${head}-`))
    if (name === undefined) throw new Error(`no file ${head}`)
    return name
  })
}

describe('the built console', () => {
  test('has no inline script, no inline style and no address elsewhere', ({ expect }) => {
    const html = readFileSync(path.join(builtConsole, 'index.html'), 'utf8')
    expect(html).not.toMatch(/<script(?![^>]*\bsrc=)/)
    expect(html).not.toMatch(/<style|\sstyle=|\son[a-z]+=/)
    expect(
      [...html.matchAll(/(?:src|href)="([^"]+)"/g)].map(([, to]) => to).filter((to) => !/^\/[^/]/.test(to ?? '')),
    ).toEqual([])
  })

  test('holds the description of the App API as it is committed', ({ expect }) => {
    const written = readFileSync('workers/app/contract/app-api-v1.yaml', 'utf8')
    expect(JSON.parse(readFileSync(path.join(builtConsole, 'app-api-v1.json'), 'utf8'))).toEqual(parse(written))
  })

  test('applies the theme before the first paint, with a script that blocks', ({ expect }) => {
    const html = readFileSync(path.join(builtConsole, 'index.html'), 'utf8')
    expect(html).toContain('<script src="/theme.js"></script>')
    expect(html.indexOf('/theme.js')).toBeLessThan(html.indexOf('rel="stylesheet"'))
  })

  test('keeps every picture a file', ({ expect }) => {
    for (const name of assets('.css'))
      expect(readFileSync(path.join(builtConsole, 'assets', name), 'utf8')).not.toContain('data:')
    expect(assets('.svg').map((name) => name.replace(/-[\w-]+\.svg$/, ''))).toEqual(
      expect.arrayContaining(['icons', 'chevron']),
    )
  })

  test('asks its server for a policy that allows nothing but itself', ({ expect }) => {
    const headers = builtHeaders('/')
    const policy = headers['Content-Security-Policy'] ?? ''
    const sources = policy.split(';').flatMap((directive) => directive.trim().split(/\s+/).slice(1))
    expect(policy).toMatch(/^default-src 'none'/)
    expect([...new Set(sources)].toSorted()).toEqual(["'none'", "'self'"])
    for (const closed of ['base-uri', 'frame-ancestors', 'form-action']) expect(policy).toContain(`${closed} 'none'`)
    expect(headers).toMatchObject({ 'X-Content-Type-Options': 'nosniff', 'Referrer-Policy': 'no-referrer' })
    expect(headers['Permissions-Policy']).toContain('camera=()')
  })

  test('is small, and smaller still until the first screen stands', ({ expect }) => {
    const all = (['english', 'chinese'] as const).map((foreign) =>
      gzipBytes(assets('.js').filter((name) => !name.startsWith(`${foreign}-`))),
    )
    const first = (['english', 'chinese'] as const).map((language) =>
      gzipBytes(withImports(startingWith('index', `${language}-first`, 'overview'))),
    )
    const style = gzipBytes(assets('.css'))
    console.log(
      `console, gzip: ${first.join(' or ')} bytes of script for the first screen, ${all.join(' or ')} in all, ${style} bytes of style, ${gzipBytes(assets('.svg'))} bytes of icons`,
    )
    for (const bytes of first) expect(bytes).toBeLessThanOrEqual(firstScriptBytesMax)
    for (const bytes of all) expect(bytes).toBeLessThanOrEqual(allScriptBytesMax)
    expect(style).toBeLessThanOrEqual(styleBytesMax)
  })
})
