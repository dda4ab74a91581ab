import { describe, test } from 'vitest'
import { isGrantedHost, namesOwnNetwork, readHost } from '../../../local/agent/core/granted-host.ts'

const label = 'a'.repeat(63)
/** Of 253 characters, the most a name may have. */
const longest = `${label}.${label}.${label}.${'a'.repeat(61)}`

describe('a host that a command asks for', () => {
  test.for([
    ['example.org', 'example.org'],
    ['Example.ORG', 'example.org'],
    ['example.org.', 'example.org'],
    ['example.org.:8080', 'example.org:8080'],
    ['example.org:65535', 'example.org:65535'],
    ['localhost:1', 'localhost:1'],
    ['127.0.0.1:3000', '127.0.0.1:3000'],
    ['a', 'a'],
    [longest, longest],
    [`${longest}:443`, `${longest}:443`],
  ])('%s is read as %s', ([text, host], { expect }) => {
    expect(readHost(text as string)).toBe(host)
  })

  test.for([
    '',
    '.',
    '*',
    '*.example.org',
    'example.org:0',
    'example.org:65536',
    'example.org:080',
    'example.org:',
    ':80',
    'https://example.org',
    'example.org/path',
    'me@example.org',
    'example.org:80:80',
    '[::1]',
    '::1',
    'exa mple.org',
    'example.org\n',
    '-example.org',
    'example.org..',
    'пример.рф',
    `${longest}a`,
  ])('%j is none', (text, { expect }) => {
    expect(readHost(text)).toBeUndefined()
  })
})

test.for([
  [['example.org'], 'example.org', 443, true],
  [['example.org'], 'example.org', 80, true],
  [['example.org'], 'EXAMPLE.org.', 443, true],
  [['example.org'], 'example.org', 8080, false],
  [['example.org'], 'sub.example.org', 443, false],
  [['example.org'], 'example.org.evil.example', 443, false],
  [['example.org:8080'], 'example.org', 8080, true],
  [['example.org:8080'], 'example.org', 443, false],
  [[], 'example.org', 443, false],
] as const)('with %j granted, %s at port %i: %j', ([hosts, name, port, isGranted], { expect }) => {
  expect(isGrantedHost(hosts, name, port)).toBe(isGranted)
})

test.for([
  ['localhost', true],
  ['LOCALHOST', true],
  ['127.0.0.1', true],
  ['192.168.1.10', true],
  ['localhost.example.org', false],
  ['127.0.0.1.example.org', false],
  ['example.org', false],
] as const)('%s names this machine or its network by itself: %j', ([name, isOwn], { expect }) => {
  expect(namesOwnNetwork(name)).toBe(isOwn)
})
