// @module-tag slow
/** A data folder whose master key became another one: everything that is lost is named, nothing crashes, all comes back. */
import { randomBytes } from 'node:crypto'
import { readFileSync, writeFileSync } from 'node:fs'
import path from 'node:path'
import { test } from 'vitest'
import { pairDevice, TunnelRefusal, TunnelSession } from '../../../scripts/tunnel-client.ts'
import { consoleSite } from '../../support/console-site.ts'
import { ownerOf, type RunningWharf, startWharf, temporaryFolder } from '../../support/running-wharf.ts'

const own = '/api/console/v1'
const downloader = {
  name: 'nas-1',
  type: 'qbittorrent',
  address: 'http://127.0.0.1:9',
  username: 'admin',
  password: 'a password',
  enabled: true,
  default: true,
} as const
const site = consoleSite('shelf', 'nexusphp', 'https://shelf.example', { cookie: 'c_secure_pass=a', enabled: false })
const channel = {
  name: 'phone',
  type: 'bot',
  token: '1:abcdefghijklmnopqrstuvwxyzabcdefghi',
  chat_id: '1',
  enabled: true,
  events: ['push.done'],
} as const
const services = { metadata: { api_address: '', image_address: '', api_key: 'a'.repeat(32) } }

async function pair(wharf: RunningWharf, owner: Readonly<Record<string, string>>, before?: Paired) {
  const { body } = await wharf.request('POST', `${own}/devices/code`, owner, { permission: 'read' })
  return (await pairDevice(postOf(wharf), body.code, 'tablet', before)).device
}
type Paired = Awaited<ReturnType<typeof pairDevice>>['device']

function postOf(wharf: RunningWharf) {
  return async (way: string, bytes: Uint8Array) => {
    const response = await fetch(`${wharf.origin}/api/tunnel/v1${way}`, {
      method: 'POST',
      body: Uint8Array.from(bytes),
    })
    return { status: response.status, bytes: await response.bytes() }
  }
}

const lost = [
  { kind: 'downloader', name: 'nas-1' },
  { kind: 'site', name: 'shelf' },
  { kind: 'channel', name: 'phone' },
  { kind: 'service', name: 'metadata' },
  { kind: 'device', name: 'tablet' },
]

test('a changed master key: what it shuts is named at the start and on the console, and entered again', {
  timeout: 180_000,
}, async ({ expect, onTestFinished }) => {
  const folder = temporaryFolder()
  let wharf = await startWharf(folder.path)
  onTestFinished(async () => {
    await wharf.stop()
    folder.remove()
  })
  let owner = await ownerOf(wharf)
  const send = async (method: string, place: string, json?: unknown) => {
    const answer = await wharf.request(method, `${own}${place}`, owner, json)
    if (answer.status !== 200) throw new Error(`${method} ${place}: ${answer.text}`)
    return answer.body
  }
  const [{ id: downloaderId }, { id: siteId }, { id: channelId }] = [
    await send('POST', '/downloaders', downloader),
    await send('POST', '/sites', site),
    await send('POST', '/channels', channel),
  ]
  await send('PUT', '/settings/metadata', services.metadata)
  const device = await pair(wharf, owner)
  expect((await send('GET', '/state')).lost).toEqual([])

  await wharf.stop()
  expect(wharf.said()).not.toContain('lost')
  const file = path.join(folder.path, 'secrets.json')
  const secrets = JSON.parse(readFileSync(file, 'utf8'))
  writeFileSync(file, JSON.stringify({ ...secrets, MASTER_KEY: randomBytes(32).toString('base64') }))
  wharf = await startWharf(folder.path)
  owner = await ownerOf(wharf)

  for (const line of [
    'passwords of downloaders: nas-1',
    'cookies and keys of sites: shelf',
    'addresses and tokens of channels: phone',
    'keys of services: metadata',
    'pairings of devices: tablet',
    'go on with this key on the console',
  ])
    expect(wharf.said()).toContain(line)
  expect(await send('GET', '/state')).toMatchObject({ secrets: 'changed', lost })
  for (const place of ['/downloaders', '/sites', '/channels', '/settings/metadata', '/devices'])
    await send('GET', place)
  expect((await wharf.request('GET', '/api/app/v1/torrents', owner)).body.failures[0].error).toContain('主密钥')
  const refused = await wharf.request('PUT', `${own}/downloaders/${downloaderId}`, owner, downloader)
  expect(refused).toMatchObject({ status: 503, body: { error: 'unavailable' } })

  await send('POST', '/master-key', {})

  expect(await send('GET', '/state')).toMatchObject({ secrets: 'ready', lost })
  await expect(TunnelSession.begin(postOf(wharf), device)).rejects.toThrow(TunnelRefusal)
  await send('PUT', `/downloaders/${downloaderId}`, downloader)
  await send('PUT', `/sites/${siteId}`, site)
  await send('PUT', `/channels/${channelId}`, channel)
  await send('PUT', '/settings/metadata', services.metadata)
  expect((await send('GET', '/state')).lost).toEqual([{ kind: 'device', name: 'tablet' }])
  const again = await pair(wharf, owner, device)
  expect(again.deviceId).toBe(device.deviceId)
  await TunnelSession.begin(postOf(wharf), again)
  expect((await send('GET', '/state')).lost).toEqual([])
})
