import fc from 'fast-check'
import { describe, test } from 'vitest'
import { isAllowedHost, normaliseExtraHost } from '../../../local/workerd/host-filter.ts'

const rule = { port: 8787, extraHosts: ['nas.example', 'box.example:9000'] }

describe('the Host filter', () => {
  test.for([
    '127.0.0.1:8787',
    'localhost:8787',
    'LOCALHOST:8787',
    '[::1]:8787',
    'nas.example',
    'nas.example:443',
    'NAS.example:8443',
    'box.example:9000',
  ])('lets %s through', (host, { expect }) => {
    expect(isAllowedHost(host, rule)).toBe(true)
  })

  test.for([
    null,
    '',
    ' ',
    '127.0.0.1',
    'localhost',
    '[::1]',
    '127.0.0.1:8788',
    '127.0.0.1:87870',
    '127.0.0.1:8787 ',
    '127.0.0.1:8787:8787',
    '127.0.0.1:+8787',
    '127.0.0.1:0x2253',
    '127.0.0.1:',
    '127.0.0.1.:8787',
    'localhost.:8787',
    'a@127.0.0.1:8787',
    '127.0.0.1:8787@evil.example',
    '127.0.0.1:8787/',
    '127.0.0.1:8787?',
    '127.0.0.1:8787#',
    '127.0.0.1%3a8787',
    '127.1:8787',
    '2130706433:8787',
    '0x7f.1:8787',
    '0.0.0.0:8787',
    '[::]:8787',
    '[::ffff:127.0.0.1]:8787',
    '[::1:8787',
    '::1:8787',
    'evil.example',
    'evil.example:8787',
    'localhost.evil.example:8787',
    'evil-localhost:8787',
    'sub.nas.example',
    'nas.example.evil',
    'box.example',
    'box.example:9001',
    'ⓛocalhost:8787',
    'localhost:8787, evil.example',
  ])('refuses %j', (host, { expect }) => {
    expect(isAllowedHost(host, rule)).toBe(false)
  })

  test('without a port a loopback name stands for port 80', ({ expect }) => {
    expect(isAllowedHost('localhost', { port: 80, extraHosts: [] })).toBe(true)
  })

  test('answers any text without throwing, and yes only to a listed name', ({ expect }) => {
    const names = ['127.0.0.1', 'localhost', '[::1]', 'nas.example', 'box.example', 'evil.example', '']
    const host = fc.oneof(
      fc.string(),
      fc.tuple(fc.constantFrom(...names), fc.string()).map((parts) => parts.join(':')),
    )
    fc.assert(
      fc.property(host, (text) => {
        if (!isAllowedHost(text, rule)) return
        expect(text.toLowerCase()).toMatch(
          /^((127\.0\.0\.1|localhost|\[::1\]):0*8787|nas\.example(:\d{1,5})?|box\.example:9000)$/,
        )
      }),
      { numRuns: 2_000 },
    )
  })

  test.for([
    ['Nas.Example', 'nas.example'],
    ['nas.example:443', 'nas.example:443'],
    ['a b', undefined],
    ['http://nas', undefined],
    ['', undefined],
    ['nas.example:', undefined],
  ] as const)('reads the extra host %j as %j', ([text, host], { expect }) => {
    expect(normaliseExtraHost(text)).toBe(host)
  })
})
