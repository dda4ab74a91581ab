/** Announces from a real IRC server to a torrent that runs in a real downloader. */
import { afterAll, beforeAll, describe, test } from 'vitest'
import { IrcConnection } from '../../../local/announces/irc-connection.ts'
import { announcedBytes, startAnnounceWorld } from '../../support/announce-world.ts'
import { until } from '../../support/daemon-process.ts'
import { doorkeeper, invitedChannel, ircChannel, ircPassword, startIrcServer } from '../../support/irc-server.ts'
import { requireReal } from '../../support/real-parts.ts'

const ngircd = requireReal('ngircd')
const openssl = requireReal('openssl')
const qbittorrent = requireReal('qbittorrent-nox')
const isMissing = ngircd.isMissing || openssl.isMissing || qbittorrent.isMissing
const note = `${ngircd.skipNote}${openssl.skipNote}${qbittorrent.skipNote}`

describe.skipIf(isMissing)(`a channel ${note}`, () => {
  let world: Awaited<ReturnType<typeof startAnnounceWorld>>
  beforeAll(async () => {
    world = await startAnnounceWorld({ ngircd: ngircd.path, openssl: openssl.path, qbittorrent: qbittorrent.path })
  }, 120_000)
  afterAll(() => world?.dispose())

  test('brings what its announcer says, once, through the rules and with the reason', {
    tags: 'slow',
    timeout: 120_000,
  }, async ({ expect }) => {
    const target = { downloader_id: 0, category: 'tv', tags: [], save_path: '' }
    const conditions = [
      { field: 'title', op: 'matches', value: ['-quay$'] },
      { field: 'size_gib', op: 'at_most', value: 1 },
    ]
    const rule = { name: 'quay', enabled: true, rule: { action: 'take', conditions, target } }
    expect((await world.worker.console('POST', '/rules', rule)).status).toBe(200)
    const id = await world.join()
    await world.reasonOf(id, undefined)
    await until('the channel to be heard', async () => {
      await world.say(201)
      return (await world.items()).length > 0 ? true : undefined
    })
    await world.say(202, { nick: 'Stranger' })
    await world.irc.announce('Welcome to the channel | be kind | https://shelf.example/rules.php?id=7')
    await world.say(201)
    await world.say(203)
    await until('the torrents to run', async () => ((await world.running()).length === 2 ? true : undefined))
    // That one was taken is noted once its downloader has said so, which it runs before.
    const isNoted = ({ status }: { status: string }) => status !== 'taking'
    await until('both to be noted', async () => ((await world.items()).every(isNoted) ? true : undefined))

    const items = await world.items()
    expect(items.map((one: { torrent_id: string; status: string }) => [one.torrent_id, one.status])).toEqual([
      ['203', 'taken'],
      ['201', 'taken'],
    ])
    expect(items[0]).toMatchObject({
      feed: 'herald',
      title: 'Harbour.Lights.S01E203.1080p-QUAY',
      size: announcedBytes,
      rule: 'quay',
      clauses: [{ state: 'met' }, { state: 'met', found: 0 }],
    })
    const { items: tasks } = (await world.worker.app('GET', '/tasks')).body
    expect(tasks.map((one: { source: string }) => one.source)).toEqual(['filter_rule', 'filter_rule'])
    const shown = (await world.worker.console('GET', '/feeds')).text + world.worker.said()
    expect(shown).not.toContain(ircPassword)

    // The server goes, and comes back.
    await world.irc.stop()
    await world.reasonOf(id, 'channel.unreachable')
    await world.irc.start()
    await world.reasonOf(id, undefined)
    await world.say(204)
    await until('the torrent to run', async () => ((await world.running()).length === 3 ? true : undefined))

    // A channel that opens by a word with a key, which stays sealed.
    const word = 'enter #invited walker CanaryIrcKeyOfTheSite'
    const keeper = await world.irc.keepDoor(word)
    const enter = `${doorkeeper} ${word}`
    const announces = { ...world.feed.announces, channel: invitedChannel, announcers: [doorkeeper] }
    const invited = await world.join({
      name: 'invited',
      address: world.feed.address.replace('wharf:', 'guest:'),
      announces,
      enter,
    })
    await world.reasonOf(invited, undefined)
    await until('the channel to be heard', async () => {
      keeper.say(
        'New: Harbour.Lights.S01E205.1080p-QUAY | TV | 16.00 KiB | Free: no | https://shelf.example/details.php?id=205',
      )
      return (await world.running()).length === 4 ? true : undefined
    })
    expect(keeper.heard).toEqual([['guest', word]])
    const feeds = await world.worker.console('GET', '/feeds')
    expect(feeds.body.items.map((one: { enters?: boolean }) => one.enters)).toEqual([undefined, true])
    expect(feeds.text + world.worker.said()).not.toContain('CanaryIrcKeyOfTheSite')

    // Whose certificate is another one is told nothing, and the password stays here.
    await world.worker.console('PUT', `/feeds/${id}`, {
      ...world.feed,
      announces: { ...world.feed.announces, certificate: '00'.repeat(32) },
    })
    await world.reasonOf(id, 'channel.certificate')
  })
})

describe.skipIf(isMissing)(`a connection to a real server ${note}`, () => {
  let irc: Awaited<ReturnType<typeof startIrcServer>>
  beforeAll(async () => {
    irc = await startIrcServer({ ngircd: ngircd.path, openssl: openssl.path })
  })
  afterAll(() => irc?.dispose())

  const told = async (change: object, channel = ircChannel, enters: readonly string[] = []) => {
    const place = {
      server: '127.0.0.1',
      port: irc.port,
      isEncrypted: false,
      nick: 'reader',
      password: ircPassword,
      signIn: 'none' as const,
    }
    let said = ''
    const connection = new IrcConnection({ ...place, ...change }, [channel], enters, {
      joined: () => {
        said ||= 'joined'
      },
      said: () => undefined,
      ended: (kind) => {
        said ||= kind
      },
    })
    await until('a word', async () => (said === '' ? undefined : true))
    connection.close()
    return said
  }

  test.for<[string, string, () => object]>([
    ['with its password', 'joined', () => ({})],
    [
      'encrypted, by its certificate',
      'joined',
      () => ({ port: irc.encryptedPort, isEncrypted: true, certificate: irc.certificate }),
    ],
    ['with another password', 'channel.credentials', () => ({ password: 'wrong' })],
    ['by a name it does not take', 'channel.credentials', () => ({ nick: '7reader' })],
    ['that wants SASL of a server that has none', 'channel.credentials', () => ({ signIn: 'sasl' })],
    [
      'whose certificate no authority knows',
      'channel.certificate',
      () => ({ port: irc.encryptedPort, isEncrypted: true }),
    ],
    ['at a port where nobody is', 'channel.unreachable', () => ({ port: 1 })],
  ])('%s: %s', async ([, outcome, change], { expect }) => {
    expect(await told(change())).toBe(outcome)
  })

  test('is let into a closed channel for its word, and not for another one or none', { timeout: 60_000 }, async ({
    expect,
  }) => {
    const keeper = await irc.keepDoor('enter #invited walker sesame')
    const at = (nick: string, enters: readonly string[]) => told({ nick }, invitedChannel, enters)
    expect(await at('guest1', [`${doorkeeper} enter #invited walker sesame`])).toBe('joined')
    expect(await at('guest2', [`${doorkeeper} enter #invited walker barley`])).toBe('channel.credentials')
    expect(await at('guest3', ['Nobody enter #invited walker sesame'])).toBe('channel.credentials')
    expect(await at('guest4', [])).toBe('channel.credentials')
    // One line is one line, whatever stands in it.
    expect(await at('guest5', [`${doorkeeper} enter\r\nQUIT`])).toBe('channel.credentials')
    expect(keeper.heard).toEqual([
      ['guest1', 'enter #invited walker sesame'],
      ['guest2', 'enter #invited walker barley'],
      ['guest5', 'enter  QUIT'],
    ])
  })
})
