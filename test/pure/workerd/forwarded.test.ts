import fc from 'fast-check'
import { describe, test } from 'vitest'
import { parseNetwork } from '#shared/network/ip-address.ts'
import { callerInChain } from '../../../local/workerd/forwarded.ts'
import { forwardedHopsMax } from '../../../local/workerd/limits.ts'

const proxies = ['127.0.0.1', '10.0.0.0/8', 'fd00::/8'].flatMap((text) => parseNetwork(text) ?? [])

describe('the caller in a chain of proxies', () => {
  test.for([
    ['203.0.113.7', '203.0.113.7'],
    ['198.51.100.9, 203.0.113.7', '203.0.113.7'],
    ['203.0.113.7, 10.1.2.3', '203.0.113.7'],
    ['198.51.100.9,203.0.113.7 , 10.1.2.3,127.0.0.1', '203.0.113.7'],
    ['10.1.2.3, 127.0.0.1', '10.1.2.3'],
    ['203.0.113.7:51000', '203.0.113.7'],
    ['2001:db8::1', '2001:db8:0:0:0:0:0:1'],
    ['[2001:db8::1]:51000, fd00::5', '2001:db8:0:0:0:0:0:1'],
    ['::ffff:203.0.113.7', '203.0.113.7'],
    ['198.51.100.9, nonsense, 10.1.2.3', '10.1.2.3'],
    ['nonsense', undefined],
    ['unknown', undefined],
    ['203.0.113.7, ', undefined],
    ['', undefined],
    [null, undefined],
  ] as const)('%j ends at %j', ([chain, caller], { expect }) => {
    expect(callerInChain(chain, proxies)).toBe(caller)
  })

  test(`is looked for in the last ${forwardedHopsMax} addresses`, ({ expect }) => {
    const behind = (hops: number) => ['203.0.113.7', ...Array<string>(hops).fill('10.0.0.1')].join(', ')
    expect(callerInChain(behind(forwardedHopsMax - 1), proxies)).toBe('203.0.113.7')
    expect(callerInChain(behind(forwardedHopsMax), proxies)).toBe('10.0.0.1')
  })

  test('nothing a caller writes before what the proxy adds counts', ({ expect }) => {
    fc.assert(
      fc.property(fc.string(), (written) => {
        expect(callerInChain(`${written}, 203.0.113.7`, proxies)).toBe('203.0.113.7')
      }),
    )
  })
})
