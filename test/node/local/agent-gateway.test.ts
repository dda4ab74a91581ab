import { mkdtempSync, readFileSync, rmSync, statSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import path from 'node:path'
import { afterEach, beforeEach, describe, test } from 'vitest'
import { offerGateway, type ServedGateway } from '../../../local/agent-gateway.ts'

let base: string
beforeEach(() => {
  base = mkdtempSync(path.join(tmpdir(), 'gateway-key-'))
})
afterEach(() => rmSync(base, { recursive: true, force: true }))

const gateway: ServedGateway = { address: 'http://127.0.0.1:8787/api/v1', key: 'key', isSandboxed: false }
const keepGatewayKey = (folder: string, key: string) => offerGateway({ ...gateway, key }, {}, folder)
const read = (folder: string) => readFileSync(path.join(folder, 'credentials.json'), 'utf8')

test('the key is put beside those that are there, for the owner alone', ({ expect }) => {
  const folder = path.join(base, 'agent')
  keepGatewayKey(folder, 'one')
  expect(JSON.parse(read(folder))).toEqual({ wharf: { type: 'api', key: 'one' } })
  expect(statSync(path.join(folder, 'credentials.json')).mode & 0o777).toBe(0o600)

  writeFileSync(path.join(folder, 'credentials.json'), JSON.stringify({ xai: { key: 'x' }, wharf: { key: 'one' } }))
  keepGatewayKey(folder, 'two')
  expect(JSON.parse(read(folder))).toEqual({ xai: { key: 'x' }, wharf: { type: 'api', key: 'two' } })
})

test.for(['{', '[]', '"text"'])('a file that holds %o is left as it is', (text, { expect }) => {
  writeFileSync(path.join(base, 'credentials.json'), text)
  keepGatewayKey(base, 'one')
  expect(read(base)).toBe(text)
})

describe('the agent server beside the gateway', () => {
  const url = { WHARF_GATEWAY_URL: gateway.address }
  const key = { wharf: { type: 'api', key: 'key' } }

  test.for([
    ['has it as a provider', {}, gateway, url, key],
    ['has its sandbox too, where no other model is at hand', {}, { ...gateway, isSandboxed: true }, url, key],
    ['keeps what its owner set', { WHARF_GATEWAY_URL: 'x' }, gateway, { WHARF_GATEWAY_URL: 'x' }, key],
    [
      'is not sent to a sandbox before a model its owner has',
      { OPENAI_API_KEY: 'x' },
      { ...gateway, isSandboxed: true },
      { OPENAI_API_KEY: 'x' },
      {},
    ],
    ['is told where it is when only its owner knows the key', {}, { ...gateway, key: undefined }, url, undefined],
  ] as const)('%s', ([what, environment, served, expected, keys], { expect }) => {
    const folder = path.join(base, what)
    if (served.isSandboxed) offerGateway(gateway, {}, folder)

    expect(offerGateway(served, environment, folder)).toEqual(expected)
    if (keys === undefined) expect(() => read(folder)).toThrow('ENOENT')
    else expect(JSON.parse(read(folder))).toEqual(keys)
  })
})
