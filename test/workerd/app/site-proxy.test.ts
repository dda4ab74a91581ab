/** A site's proxy end to end: the Worker, the host's outgoing side, a real proxy and a stand-in site behind it. */
import { env } from 'cloudflare:workers'
import { beforeEach, describe, inject, test } from 'vitest'
import { appPrefix, consolePrefix } from '../../../workers/app/app.ts'
import { composeApp } from '../../../workers/app/compose.ts'
import { siteAddressCharactersMax } from '../../../workers/app/limits.ts'
import { consoleSite } from '../../support/console-site.ts'
import { makeToken, ownerSession, origin as self, send } from '../../support/workerd/app-client.ts'

const sites = inject('standInSites')
const proxy = inject('standInProxy')
const path = `${consolePrefix}/sites`

const session = await ownerSession()
const whole = (await makeToken(session, ['app:read', 'app:write'])).caller

beforeEach(async () => {
  for (const { id } of (await send('GET', path, session)).body.items) await send('DELETE', `${path}/${id}`, session)
})

let skins = 0

/** Of a site of the test's own, so that what passed the proxy for it can be told from the rest. */
function settings(change: Readonly<Record<string, unknown>> = {}) {
  skins += 1
  const credentials = { api_key: 'CanaryApiKeyOfTheSite91', proxy: proxy.address }
  return consoleSite('far', 'unit3d', `${sites}/unit3d/far${skins}`, { ...credentials, ...change })
}

async function passedFor(address: string): Promise<string[]> {
  const calls = await (await fetch(`http://${proxy.host}/calls`)).json<string[]>()
  return calls.filter((call) => call.includes(`${address}/`))
}

async function tryOut(change: Readonly<Record<string, unknown>>) {
  const { name: _, display_name: __, enabled: ___, auto_sign_in: ____, ...trial } = settings(change)
  return { address: trial.address, body: (await send('POST', `${path}/test`, session, { json: trial })).body }
}

describe('a site with a proxy', () => {
  test('is read, searched and pushed from through it, and asked for its icon', async ({ expect }) => {
    const json = settings()
    await send('POST', path, session, { json })

    const { body } = await send('POST', `${appPrefix}/search`, whole, { json: { keyword: 'planet walk' } })
    const { baseUrl: address, username, password } = inject('standInDownloaders')['site-proxy']
    await send('POST', `${consolePrefix}/downloaders`, session, {
      json: { name: 'works', type: 'qbittorrent', address, username, password, enabled: true, default: true },
    })
    const pushed = await send('POST', `${appPrefix}/push`, whole, { json: { site: 'far', torrent_id: '101' } })
    await send('GET', `${appPrefix}/favicon/far`, whole)

    expect(body.items.map(({ title }: { title: string }) => title)).toContain('Planet.Walk.2026.1080p')
    expect(pushed.body, pushed.body.message).toMatchObject({ success: true })
    const calls = await passedFor(json.address)
    expect(calls.some((call) => call.includes('/api/torrents/filter'))).toBe(true)
    expect(calls.some((call) => call.includes('download'))).toBe(true)
    expect(calls.some((call) => call.includes('favicon.ico'))).toBe(true)
    // The site got nothing that did not pass the proxy, and nothing that is for the proxy.
    const response = await fetch(`${sites}/control/unit3d/far${skins}`, { method: 'POST', body: '{}' })
    expect((await response.json<{ calls: string[] }>()).calls).toHaveLength(calls.length)
  })

  test('shows the host of it and nothing else, keeps it when it is left out, and loses it by an empty text', async ({
    expect,
  }) => {
    const json = settings()
    const { proxy: _, ...others } = json
    const added = await send('POST', path, session, { json })
    const at = `${path}/${added.body.id}`
    const kept = await send('PUT', at, session, { json: { ...others, display_name: 'renamed' } })
    const passed = (await passedFor(json.address)).length
    const { name: __, display_name: ___, enabled: ____, auto_sign_in: _____, ...trial } = others
    const tried = await send('POST', `${path}/test`, session, { json: { ...trial, id: added.body.id } })
    const passedAfter = (await passedFor(json.address)).length
    const removed = await send('PUT', at, session, { json: { ...others, proxy: '' } })

    expect(added.body.proxy_host).toBe(proxy.host)
    expect(kept.body).toMatchObject({ display_name: 'renamed', proxy_host: proxy.host, has_api_key: true })
    expect(tried.body).toMatchObject({ works: true })
    expect(passedAfter).toBeGreaterThan(passed)
    expect(removed.body.proxy_host).toBeUndefined()
    expect(removed.body.has_api_key).toBe(true)
    expect(JSON.stringify([added.body, kept.body])).not.toContain('walker')
  })

  test.for([
    [
      'a password that is wrong',
      `http://walker:WrongProxyPassword5@${proxy.host}`,
      '代理拒绝了用户名或密码',
      'site.proxy_refused',
    ],
    ['no user', `http://${proxy.host}`, '代理拒绝了用户名或密码', 'site.proxy_refused'],
    [
      'nobody listening',
      'http://walker:WrongProxyPassword5@127.0.0.1:1',
      '无法连接站点的代理，请检查代理地址',
      'site.proxy_unreachable',
    ],
    [
      'a name that is nobody’s',
      'http://walker:WrongProxyPassword5@proxy.invalid:1',
      '无法连接站点的代理，请检查代理地址',
      'site.proxy_unreachable',
    ],
  ])('fails with a reason that names no credentials: %s', async ([, address, error, kind], { expect }) => {
    for (const place of [settings().address, 'https://127.0.0.1:1']) {
      const { body } = await tryOut({ proxy: address, address: place })

      expect(body, place).toEqual({ works: false, error, reason: { kind } })
    }
  })

  test('is told from a proxy that is away when it is away itself', async ({ expect }) => {
    const { body } = await tryOut({ address: 'https://127.0.0.1:1' })

    expect(body).toEqual({ works: false, error: '无法连接站点', reason: { kind: 'site.unreachable' } })
    const calls = await (await fetch(`http://${proxy.host}/calls`)).json<string[]>()
    expect(calls).toContain('CONNECT 127.0.0.1:1')
  })

  test('has the same bounds as one without: redirects away, answers too long, faults of its own', async ({
    expect,
  }) => {
    for (const [kind, skin, reason] of [
      ['gazelle', 'away', '别的地址'],
      ['unit3d', 'huge', '过大'],
      ['unit3d', 'expired', '登录已失效'],
      ['mteam', 'throttled', '频率'],
    ]) {
      const { body } = await tryOut({ kind, address: `${sites}/${kind}/${skin}` })

      expect(body.error, skin).toContain(reason)
    }
  })

  test('over plain http stored credentials do not pass a proxy that is only being tried', async ({ expect }) => {
    const json = settings({ proxy: undefined })
    const { id } = (await send('POST', path, session, { json })).body
    const {
      api_key: _,
      proxy: __,
      name: ___,
      display_name: ____,
      enabled: _____,
      auto_sign_in: ______,
      ...trial
    } = json

    const kept = await send('POST', `${path}/test`, session, { json: { ...trial, id } })
    const readAlong = await send('POST', `${path}/test`, session, { json: { ...trial, proxy: proxy.address, id } })

    expect(kept.body).toMatchObject({ works: true })
    expect(readAlong.body.works).toBe(false)
  })

  test('may have an address as long as its limit', async ({ expect }) => {
    const longest = `http://${'p'.repeat(siteAddressCharactersMax - 7 - 16)}@127.0.0.1:65000`
    expect(longest).toHaveLength(siteAddressCharactersMax)

    expect((await send('POST', path, session, { json: settings({ proxy: longest }) })).status).toBe(200)
  })
})

describe('the host’s outgoing side', () => {
  test('serves nobody but the script', async ({ expect }) => {
    for (const headers of [
      {},
      { 'x-wharf-proxy': proxy.address },
      { 'x-wharf-proxy': proxy.address, 'x-wharf-outgoing-code': 'guessed' },
      { 'x-wharf-outgoing-code': env.OUTGOING_CODE ?? '' },
    ]) {
      const answer = await env.OUTGOING?.fetch(`${sites}/unit3d/stranger/`, { headers })

      expect(answer?.status).toBe(403)
    }
    expect(await passedFor(`${sites}/unit3d/stranger`)).toEqual([])
  })
})

describe('at the edge', () => {
  const { OUTGOING: _, OUTGOING_CODE: __, ...edge } = env
  const sendToEdge = (method: string, at: string, json: unknown) =>
    composeApp(edge, { run: (work) => void work }).fetch(
      new Request(`${self}${at}`, {
        method,
        headers: { 'content-type': 'application/json', ...session },
        body: JSON.stringify(json),
      }),
    )

  test('a proxy is refused in plain words, and nothing is stored', async ({ expect }) => {
    const json = settings()
    const answer = await sendToEdge('POST', path, json)

    expect(answer.status).toBe(400)
    expect(await answer.json()).toMatchObject({
      error: 'invalid_argument',
      message: '字段 proxy 不正确：代理只在自己的机器上运行时可用，部署在边缘时不能设置',
    })
    expect((await send('GET', path, session)).body.items).toEqual([])
  })

  test('a proxy that was stored on one’s own machine is never gone around', async ({ expect }) => {
    const json = settings()
    const { id } = (await send('POST', path, session, { json })).body
    await expect.poll(async () => (await passedFor(json.address)).length, { timeout: 5000 }).toBeGreaterThan(0)
    const callsAtSite = async () => {
      const state = await fetch(`${sites}/control/unit3d/far${skins}`, { method: 'POST', body: '{}' })
      return (await state.json<{ calls: string[] }>()).calls.length
    }
    const before = await callsAtSite()
    const { proxy: _, name: __, display_name: ___, enabled: ____, auto_sign_in: _____, ...trial } = json

    const answer = await sendToEdge('POST', `${path}/test`, { ...trial, id })

    expect(await answer.json()).toEqual({
      works: false,
      error: '代理只在自己的机器上运行时可用，请在站点设置中去掉代理',
      reason: { kind: 'site.proxy_unsupported' },
    })
    expect(await callsAtSite()).toBe(before)
  })
})
