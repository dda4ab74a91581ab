import fc from 'fast-check'
import { describe, test } from 'vitest'
import {
  isAllowedHost,
  normaliseExtraHost,
  normalisePublicUrl,
  publicOriginOf,
} from '../../../local/workerd/host-filter.ts'

const rule = {
  port: 8787,
  extraHosts: ['nas.example', 'box.example:9000'],
  publicUrls: [
    'https://wharf.example',
    'https://other.example:8443',
    'http://wharf.lan',
    'https://shared.example/wharf',
  ],
}

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
    'wharf.example',
    'Wharf.Example',
    'wharf.example:443',
    'other.example:8443',
    'wharf.lan',
    'wharf.lan:80',
    'shared.example',
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
    'wharf.example:8443',
    'wharf.example:80',
    'wharf.example.',
    'sub.wharf.example',
    'other.example',
    'wharf.lan:443',
    'shared.example/wharf',
    'user@wharf.example',
    'wharf.example/',
    'wharf.example, 127.0.0.1:8787',
  ])('refuses %j', (host, { expect }) => {
    expect(isAllowedHost(host, rule)).toBe(false)
  })

  test('without a port a loopback name stands for port 80', ({ expect }) => {
    expect(isAllowedHost('localhost', { port: 80, extraHosts: [], publicUrls: [] })).toBe(true)
  })

  test('answers any text without throwing, and yes only to a listed name', ({ expect }) => {
    const names = [
      '127.0.0.1',
      'localhost',
      '[::1]',
      'nas.example',
      'box.example',
      'wharf.example',
      'shared.example',
      'evil.example',
      '',
    ]
    const host = fc.oneof(
      fc.string(),
      fc.tuple(fc.constantFrom(...names), fc.string()).map((parts) => parts.join(':')),
    )
    fc.assert(
      fc.property(host, (text) => {
        if (!isAllowedHost(text, rule)) return
        expect(text.toLowerCase()).toMatch(
          /^((wharf|shared)\.example(:0*443)?|(127\.0\.0\.1|localhost|\[::1\]):0*8787|nas\.example(:\d{1,5})?|box\.example:9000)$/,
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

  test.for([
    ['wharf.example', 'https://wharf.example'],
    ['WHARF.example:443', 'https://wharf.example'],
    ['other.example:8443', 'https://other.example:8443'],
    ['wharf.lan', 'http://wharf.lan', 'https://shared.example/wharf'],
    ['shared.example', 'https://shared.example'],
    ['nas.example', undefined],
    ['127.0.0.1:8787', undefined],
    [null, undefined],
  ] as const)('%j is the public origin %j', ([host, origin], { expect }) => {
    expect(publicOriginOf(host, rule)).toBe(origin)
  })

  test.for([
    ['https://wharf.example', 'https://wharf.example'],
    ['https://Wharf.example/', 'https://wharf.example'],
    ['https://wharf.example:443', 'https://wharf.example'],
    ['http://192.0.2.7:8080', 'http://192.0.2.7:8080'],
    ['https://[2001:db8::1]', 'https://[2001:db8::1]'],
    ['wharf.example', undefined],
    ['ftp://wharf.example', undefined],
    ['https://nas.example/wharf', 'https://nas.example/wharf'],
    ['https://NAS.example:443/Wharf/', 'https://nas.example/Wharf'],
    ['http://192.0.2.7:8080/a/b-c_d.e~f/0', 'http://192.0.2.7:8080/a/b-c_d.e~f/0'],
    ['https://nas.example/apis', 'https://nas.example/apis'],
    ['https://nas.example/...', 'https://nas.example/...'],
    ['https://nas.example/wharf//', undefined],
    ['https://nas.example//wharf', undefined],
    ['https://nas.example/a//b', undefined],
    ['https://nas.example/.', undefined],
    ['https://nas.example/wharf/..', undefined],
    ['https://nas.example/../wharf', undefined],
    ['https://nas.example/a b', undefined],
    ['https://nas.example/a%2fb', undefined],
    ['https://nas.example/%2e%2e', undefined],
    ['https://nas.example/hafen/größe', undefined],
    ['https://nas.example/a"b', undefined],
    ['https://nas.example/a\\b', undefined],
    ['https://nas.example/a\nb', undefined],
    ['https://nas.example/wharf?x', undefined],
    ['https://nas.example/wharf#x', undefined],
    ['https://user@nas.example/wharf', undefined],
    ['https://nas.example/api', undefined],
    ['https://nas.example/api/wharf', undefined],
    ['https://nas.example/assets/', undefined],
    ['https://nas.example/mcp', undefined],
    ['https:///wharf', undefined],
    ['https://wharf.example?x', undefined],
    ['https://wharf.example#x', undefined],
    ['https://user@wharf.example', undefined],
    ['https://wharf.example.', undefined],
    ['https:wharf.example', undefined],
    ['https://', undefined],
    ['', undefined],
  ] as const)('reads the public address %j as %j', ([text, origin], { expect }) => {
    expect(normalisePublicUrl(text)).toBe(origin)
  })
})
