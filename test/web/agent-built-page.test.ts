/** What the build of the agent's page leaves behind: nothing inline, nothing from elsewhere, and little to read. */
import { readdirSync, readFileSync } from 'node:fs'
import path from 'node:path'
import { gzipSync } from 'node:zlib'
import { describe, test } from 'vitest'

const built = path.resolve(import.meta.dirname, '../../dist/web/agent')
const read = (name: string): string => readFileSync(path.join(built, name), 'utf8')
const scripts = readdirSync(path.join(built, 'assets')).filter((name) => name.endsWith('.js'))

describe("the agent's page as it is built", () => {
  test('has no inline script, no inline style and no address elsewhere', ({ expect }) => {
    const html = read('index.html')
    expect(html).not.toMatch(/<script(?![^>]*\bsrc=)/)
    expect(html).not.toMatch(/<style|\sstyle=|\son[a-z]+=/)
    const addresses = [...html.matchAll(/(?:src|href)="([^"]+)"/g)].map(([, to]) => to)
    expect(addresses.filter((to) => !/^\/[^/]/.test(to ?? ''))).toEqual([])
  })

  test.for([
    ['english', 'chinese'],
    ['chinese', 'english'],
  ] as const)(
    'needs no more than 90 KiB of script, compressed, in %s, without the terminal',
    ([language, unread], { expect }) => {
      expect(scripts.filter((name) => name.startsWith(`${language}-`))).toHaveLength(1)
      const needed = scripts.filter((name) => !name.startsWith(`${unread}-`) && !name.startsWith('terminal-'))
      const whole = needed.reduce((sum, name) => sum + gzipSync(read(`assets/${name}`)).length, 0)
      console.log(`${needed.join(', ')}: ${(whole / 1024).toFixed(2)} KiB`)
      expect(whole).toBeLessThanOrEqual(90 * 1024)
    },
  )

  test('reads the terminal when one is opened, and not with the page', ({ expect }) => {
    expect(scripts.filter((name) => name.startsWith('terminal-'))).toHaveLength(1)
    expect(read('index.html')).not.toContain('terminal-')
    const others = scripts.filter((name) => !name.startsWith('terminal-'))
    expect(others.filter((name) => read(`assets/${name}`).includes('xterm-screen'))).toEqual([])
  })

  test('keeps the words of a language in the module of that language', ({ expect }) => {
    const withChinese = scripts.filter((name) => (read(`assets/${name}`).match(/\p{Script=Han}/gu)?.length ?? 0) > 100)
    expect(withChinese).toEqual([expect.stringMatching(/^chinese-/)])
  })
})
