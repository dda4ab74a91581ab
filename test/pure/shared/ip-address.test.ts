import { isIPv4, isIPv6 } from 'node:net'
import fc from 'fast-check'
import { describe, test } from 'vitest'
import { isWithin, parseIpAddress, parseNetwork, textOfAddress } from '#shared/network/ip-address.ts'
import { callerAddress } from '../../../workers/app/http/caller-address.ts'

describe('an address', () => {
  test('is one exactly where Node says so, zones aside', ({ expect }) => {
    const group = fc.constantFrom('0', 'ffff', 'FfFf', '12345', '', 'g', '1.2.3.4', '256.1.1.1', '00')
    const grouped = fc.array(group, { maxLength: 9 }).map((groups) => groups.join(':'))
    const text = fc.oneof(fc.ipV4(), fc.ipV6(), fc.string(), grouped, fc.constantFrom('::', '1::', '::1', ':1', '1:'))
    fc.assert(
      fc.property(text, (written) => {
        expect(parseIpAddress(written) !== undefined).toBe(isIPv4(written) || isIPv6(written))
      }),
      { numRuns: 3_000 },
    )
  })

  test.for([
    ['::ffff:192.0.2.1', '192.0.2.1'],
    ['::FFFF:c000:0201', '192.0.2.1'],
    ['2001:DB8::1', '2001:db8:0:0:0:0:0:1'],
    ['64:ff9b::192.0.2.1', '64:ff9b:0:0:0:0:c000:201'],
    ['1.2.3.4::', undefined],
    ['010.0.0.1', undefined],
    ['fe80::1%eth0', undefined],
    ['0'.repeat(4096), undefined],
  ] as const)('%j has one spelling, %j', ([written, spelling], { expect }) => {
    const address = parseIpAddress(written)
    expect(address && textOfAddress(address)).toBe(spelling)
  })

  test.for([
    ['10.0.0.0/8', '10.255.0.1', true],
    ['10.0.0.0/8', '11.0.0.1', false],
    ['10.1.2.3/8', '10.9.9.9', true],
    ['127.0.0.1', '127.0.0.1', true],
    ['127.0.0.1', '127.0.0.2', false],
    ['127.0.0.1', '::ffff:127.0.0.1', true],
    ['192.0.2.128/25', '192.0.2.127', false],
    ['192.0.2.128/25', '192.0.2.255', true],
    ['fd00::/8', 'fdff::1', true],
    ['fd00::/8', 'fe00::1', false],
    ['2001:db8::/33', '2001:db8:8000::1', false],
    ['::1/128', '::1', true],
  ] as const)('%s holds %s: %s', ([network, address, isHeld], { expect }) => {
    const parsed = parseNetwork(network)
    if (parsed === undefined) throw new Error(network)
    expect(isWithin(parseIpAddress(address) ?? [], parsed)).toBe(isHeld)
  })

  test.for([
    '',
    '/',
    '10.0.0.0/',
    '10.0.0.0/33',
    '10.0.0.0/0',
    '::/0',
    '::/129',
    '10.0.0.0/08',
    '10/8',
    'a/8',
    '::1/1/1',
  ])('no network is read in %j', (text, { expect }) => {
    expect(parseNetwork(text)).toBeUndefined()
  })
})

describe('where a request comes from', () => {
  test.for([
    ['192.0.2.1', '192.0.2.1'],
    ['::ffff:192.0.2.1', '192.0.2.1'],
    ['2001:db8:1:2:3:4:5:6', '2001:db8:1:2::/64'],
    ['2001:db8:1:2::', '2001:db8:1:2::/64'],
    ['2001:db8:1:3::', '2001:db8:1:3::/64'],
    [null, 'local'],
    ['', 'unknown'],
    ['local', 'unknown'],
    ['x'.repeat(4096), 'unknown'],
  ] as const)('%j counts as %j', ([told, counted], { expect }) => {
    expect(callerAddress(new Headers(told === null ? {} : { 'cf-connecting-ip': told }))).toBe(counted)
  })
})
