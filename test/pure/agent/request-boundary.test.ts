/** The boundary against an independent judge, over every combination of what a page, a proxy or an attacker may send. */
import { describe, test } from 'vitest'
import { type RequestFacts, refuseRequest } from '../../../local/agent/core/request-boundary.ts'

const port = 4096

interface Sent {
  readonly value: readonly string[]
  readonly isFine: boolean
}

const own = (value: string): Sent => ({ value: [value], isFine: true })
const bad = (...value: string[]): Sent => ({ value, isFine: false })

const hosts: readonly Sent[] = [
  own('127.0.0.1:4096'),
  own('localhost:4096'),
  own('LocalHost:4096'),
  own('[::1]:4096'),
  bad(),
  bad(''),
  bad('127.0.0.1'),
  bad('127.0.0.1:4097'),
  bad('127.0.0.1:04096'),
  bad('127.0.0.1:4096.'),
  bad('127.0.0.1:4096', '127.0.0.1:4096'),
  bad('127.0.0.1:4096, evil.example'),
  bad('evil.example:4096'),
  bad('localhost.evil.example:4096'),
  bad('127.0.0.1.evil.example:4096'),
  bad('evil.example@127.0.0.1:4096'),
  bad('127.0.0.2:4096'),
  bad('0.0.0.0:4096'),
  bad('2130706433:4096'),
  bad('0x7f.1:4096'),
  bad('[::ffff:127.0.0.1]:4096'),
  bad('::1:4096'),
  bad('[::1'),
  bad('localhost:4096/'),
  bad('lоcalhost:4096'),
  bad('localhost:99999'),
]
/** Beside the value `HOST`, which stands for an origin equal to the host that is sent. */
const origins: readonly Sent[] = [
  { value: [], isFine: true },
  own('http://HOST'),
  own('https://HOST'),
  bad(''),
  bad('null'),
  bad('http://evil.example'),
  bad('http://HOST.evil.example'),
  bad('http://HOST/'),
  bad('http://user@HOST'),
  bad('HOST'),
  bad('ftp://HOST'),
  bad('http://HOST', 'http://HOST'),
  bad('http://HOST', 'http://evil.example'),
]
const fetchSites: readonly Sent[] = [
  { value: [], isFine: true },
  own('same-origin'),
  own('none'),
  bad('same-site'),
  bad('cross-site'),
  bad('none', 'cross-site'),
]
const targets: readonly Sent[] = [own('/api/health'), bad('/api/\\health'), bad('http://127.0.0.1:4096/api/health')]

function* combinations(): Generator<{ facts: RequestFacts; mayPass: boolean; mayPassAnyHost: boolean }> {
  for (const host of hosts) {
    for (const origin of origins) {
      for (const site of fetchSites) {
        for (const target of targets) {
          const rest = origin.isFine && site.isFine && target.isFine
          yield {
            facts: {
              method: 'POST',
              target: target.value[0] ?? '',
              hosts: host.value,
              origins: origin.value.map((value) => value.replace('HOST', (host.value[0] ?? '').toLowerCase())),
              fetchSites: site.value,
            },
            mayPass: host.isFine && rest,
            mayPassAnyHost: rest && (host.isFine || wellFormed.has(host.value.join())),
          }
        }
      }
    }
  }
}

/** With a password these name no foreign server: any name may lead here. */
const wellFormed = new Set([
  '127.0.0.1',
  '127.0.0.1:4097',
  'evil.example:4096',
  'localhost.evil.example:4096',
  '127.0.0.1.evil.example:4096',
  '127.0.0.2:4096',
  '0.0.0.0:4096',
  '2130706433:4096',
  '0x7f.1:4096',
  '[::ffff:127.0.0.1]:4096',
])

describe.for([
  ['without a password', false],
  ['with a password', true],
] as const)('%s', ([, acceptsAnyHost]) => {
  test('exactly the requests that are fine in every part pass', ({ expect }) => {
    let count = 0
    const wrong: string[] = []
    for (const { facts, mayPass, mayPassAnyHost } of combinations()) {
      count += 1
      const refused = refuseRequest(facts, { boundHostname: '127.0.0.1', port, acceptsAnyHost })
      const expected = acceptsAnyHost ? mayPassAnyHost : mayPass
      if ((refused === undefined) !== expected) wrong.push(JSON.stringify(facts))
      if (refused !== undefined && !['forbidden', 'invalid_request'].includes(refused.code)) wrong.push(refused.code)
    }

    expect(wrong).toEqual([])
    expect(count).toBeGreaterThan(4_000)
  })
})
