/** What the build of the viewer's page leaves behind: nothing inline, nothing from elsewhere, and little for a first view. */
import { readdirSync, readFileSync } from 'node:fs'
import path from 'node:path'
import { gzipSync } from 'node:zlib'
import { describe, test } from 'vitest'

const built = path.resolve(import.meta.dirname, '../../dist/web/viewer')
const read = (name: string): string => readFileSync(path.join(built, name), 'utf8')
const assets = (ending: string): string[] =>
  readdirSync(path.join(built, 'assets')).filter((name) => name.endsWith(ending))

describe("the viewer's page as it is built", () => {
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

  test.for([
    ['english', 'chinese'],
    ['chinese', 'english'],
  ] as const)(
    'needs no more than 45 KiB of script, compressed, for the views it comes with in %s',
    ([language, unread], { expect }) => {
      const scripts = assets('.js')
      expect(scripts.filter((name) => name.startsWith(`${language}-`))).toHaveLength(1)
      expect(scripts.filter((name) => name.startsWith(`${unread}-`))).toHaveLength(1)
      const needed = scripts.filter(
        (name) => ![`${unread}-`, 'further-', 'pictures-'].some((one) => name.startsWith(one)),
      )
      const bytes = needed.map((name) => gzipSync(read(`assets/${name}`)).length)
      const whole = bytes.reduce((sum, one) => sum + one, 0)
      console.log(
        needed.map((name, at) => `${name}: ${bytes[at]}`).join(', '),
        `together ${(whole / 1024).toFixed(2)} KiB`,
      )
      expect(whole).toBeLessThanOrEqual(45 * 1024)
    },
  )

  test.for([
    ['further', 14],
    ['pictures', 20],
  ] as const)(
    'reads the views of "%s" when one of them is asked for, in no more than %i KiB',
    ([name, kibibytes], { expect }) => {
      const [only, ...others] = assets('.js').filter((one) => one.startsWith(`${name}-`))
      expect(others).toEqual([])
      expect(read('index.html')).not.toContain(`${name}-`)
      const bytes = gzipSync(read(`assets/${only}`)).length
      console.log(`${only}: ${bytes}`)
      expect(bytes).toBeLessThanOrEqual(kibibytes * 1024)
    },
  )

  test('keeps the words of a language in the module of that language', ({ expect }) => {
    const withChinese = assets('.js').filter(
      (name) => (read(`assets/${name}`).match(/\p{Script=Han}/gu)?.length ?? 0) > 100,
    )
    expect(withChinese).toEqual([expect.stringMatching(/^chinese-/)])
    const withEnglish = assets('.js').filter((name) => read(`assets/${name}`).includes('Where to start'))
    expect(withEnglish).toEqual([expect.stringMatching(/^english-/)])
  })
})
