/**
 * A question to the end, with everything real: the service in its own process, its own gateway as the model's side (a
 * sandbox provider that calls the tool it is told to), a real downloader, and an action after a yes.
 */
import { readFileSync } from 'node:fs'
import path from 'node:path'
import { afterAll, beforeAll, describe, test } from 'vitest'
import { until } from '../../support/daemon-process.ts'
import type { DownloaderUnderTest } from '../../support/downloader-under-test.ts'
import { makeTorrent } from '../../support/make-torrent.ts'
import { startQbittorrent } from '../../support/qbittorrent-daemon.ts'
import { requireReal } from '../../support/real-parts.ts'
import { startWorker, type WorkerUnderTest } from '../../support/worker-under-test.ts'

const qbittorrent = requireReal('qbittorrent-nox')
const settings = { enabled: true, endpoint: 'own', model: 'default' }

describe.skipIf(qbittorrent.isMissing)(`the assistant ${qbittorrent.skipNote}`.trim(), () => {
  let worker: WorkerUnderTest
  let qb: DownloaderUnderTest
  let downloaderId = 0
  const torrent = makeTorrent('Planet Walk.mkv', 100_000)

  beforeAll(async () => {
    worker = await startWorker()
    qb = await startQbittorrent(qbittorrent.path)
    downloaderId = await worker.addDownloader('nas-1', qb.settings, { default: true })
    await qb.add(torrent, { hasData: true, isPaused: false })
  }, 2 * 60_000)
  afterAll(async () => {
    await worker?.close()
    await qb?.dispose()
  })

  /** Says something and reads on until an event of this type. */
  async function say(text: string, type: string) {
    const made = await worker.app('POST', '/assistant/conversations', { message: text })
    if (made.status !== 202) throw new Error(made.text)
    return { id: String(made.body.id), events: await readOn(String(made.body.id), 0, type) }
  }

  async function readOn(id: string, after: number, type: string) {
    // biome-ignore lint/suspicious/noExplicitAny: every page is judged by the contract
    const events: any[] = []
    for (let last = after; !events.some((event) => event.type === type); ) {
      const { body } = await worker.app('GET', `/assistant/conversations/${id}/events?after=${last}`)
      if (body.reset || body.events.length === 0) throw new Error(JSON.stringify({ body, events }))
      events.push(...body.events)
      last = body.last
    }
    return events
  }

  const stateOf = async () => (await worker.app('GET', '/torrents')).body.items[0]?.state

  test('is tried out and switched on with this installation’s own gateway', async ({ expect }) => {
    expect((await worker.app('GET', '/assistant/status')).body.enabled).toBe(false)
    const { enabled: _, ...trial } = settings
    const tried = await worker.console('POST', '/settings/assistant/test', trial)
    expect(tried.body).toMatchObject({ works: true, calls_tools: true })
    // One of those that it lists answers, too.
    const model = tried.body.models.find((name: string) => name.includes('claude'))
    const chosen = await worker.console('POST', '/settings/assistant/test', { ...trial, model })
    expect(chosen.body).toMatchObject({ works: true, calls_tools: true })

    expect((await worker.console('PUT', '/settings/assistant', settings)).status).toBe(200)

    expect((await worker.app('GET', '/assistant/status')).body).toEqual({
      enabled: true,
      model: settings.model,
      can_confirm: true,
      chatops: false,
    })
  })

  test('answers through it, and looks up what the downloader really has', async ({ expect }) => {
    const { id, events } = await say('call list_downloader_torrents {}', 'run_finished')

    expect(events.at(-1)).toMatchObject({ status: 'done' })
    const { messages } = (await worker.app('GET', `/assistant/conversations/${id}`)).body
    expect(messages.map(({ role }: { role: string }) => role)).toEqual(['user', 'assistant', 'tool', 'assistant'])
    expect(JSON.parse(messages[2].content).items[0]).toMatchObject({ title: torrent.name, downloader: 'nas-1' })
    expect(messages[3].content).toContain(torrent.infoHash)
  })

  test('pauses a torrent of the real downloader after a yes, and not before', async ({ expect }) => {
    await until('the torrent to seed', async () => ((await stateOf()) === 'seeding' ? true : undefined))
    const targets = [{ downloader_id: downloaderId, task_id: torrent.infoHash }]
    const { id, events } = await say(`call pause_torrent ${JSON.stringify({ targets })}`, 'confirmation')
    const { confirmation } = events.at(-1)
    expect(confirmation.summary).toBe('暂停种子：「Planet Walk.mkv」（nas-1）。')
    expect(await stateOf()).toBe('seeding')

    const decided = await worker.app('POST', `/assistant/confirmations/${confirmation.id}`, { approve: true })

    expect(decided.body.status).toBe('approved')
    const rest = await readOn(id, events.length, 'run_finished')
    expect(rest.at(-1)).toMatchObject({ status: 'done' })
    await until('the torrent to be paused', async () =>
      (await stateOf()) === 'paused' || (await stateOf()) === 'stopped' ? true : undefined,
    )
    const audit = (await worker.console('GET', '/audit')).body.items
    expect(audit.find(({ channel }: { channel: string }) => channel === 'ai_assistant')).toMatchObject({
      command: 'pause_torrent',
      result: 'ok',
    })
  })

  test('tells nobody the gateway’s key', async ({ expect }) => {
    const { API_KEY: key } = JSON.parse(readFileSync(path.join(worker.dataFolder, 'secrets.json'), 'utf8'))
    expect(key.length).toBeGreaterThan(16)
    const list = (await worker.app('GET', '/assistant/conversations')).body.items
    expect(list).toHaveLength(2)
    const answers = await Promise.all([
      worker.app('GET', '/assistant/status'),
      worker.console('GET', '/settings/assistant'),
      ...list.flatMap(({ id }: { id: string }) => [
        worker.app('GET', `/assistant/conversations/${id}`),
        worker.app('GET', `/assistant/conversations/${id}/events`),
      ]),
    ])

    for (const { text } of answers) expect(text).not.toContain(key)
    // It is printed once, when it is made.
    expect(worker.said().split(key).length).toBeLessThanOrEqual(2)
  })
})
