// @module-tag slow
/** Signing in at a real network (inspircd) with real services (anope), as the networks of sites have them. */
import { afterAll, beforeAll, describe, test } from 'vitest'
import { IrcConnection } from '../../../local/announces/irc-connection.ts'
import { until } from '../../support/daemon-process.ts'
import {
  type IrcServices,
  openChannel,
  registeredChannel,
  registeredNick,
  registeredPassword,
  startIrcServices,
} from '../../support/irc-services.ts'
import { requireReal } from '../../support/real-parts.ts'

const inspircd = requireReal('inspircd')
const anope = requireReal('anope')
const note = `${inspircd.skipNote}${anope.skipNote}`

describe.skipIf(inspircd.isMissing || anope.isMissing)(`a network with services ${note}`.trim(), () => {
  let irc: IrcServices
  beforeAll(async () => {
    irc = await startIrcServices({ inspircd: inspircd.path, anope: anope.path })
  }, 60_000)
  afterAll(() => irc?.dispose())

  /** The first word of it, of all channels. */
  async function told(signIn: 'none' | 'sasl' | 'nickserv', password: string, ...channels: string[]): Promise<string> {
    const joined = new Set<string>()
    let ended = ''
    const place = { server: '127.0.0.1', port: irc.port, isEncrypted: false, nick: registeredNick, password, signIn }
    const connection = new IrcConnection(place, channels, [], {
      joined: (channel) => joined.add(channel),
      said: () => undefined,
      ended: (kind) => {
        ended = kind
      },
    })
    await until('a word', async () => (ended !== '' || joined.size === channels.length ? true : undefined))
    connection.close()
    // Its name is free again once the network has seen it go.
    await new Promise((resolve) => setTimeout(resolve, 300))
    return ended === '' ? 'joined' : ended
  }

  test.for([
    ['sasl', registeredPassword, [registeredChannel, openChannel], 'joined'],
    ['sasl', 'wrong', [openChannel], 'channel.credentials'],
    ['nickserv', registeredPassword, [registeredChannel, openChannel], 'joined'],
    ['nickserv', 'wrong', [registeredChannel], 'channel.credentials'],
    ['none', '', [registeredChannel], 'channel.credentials'],
    ['none', '', [openChannel], 'joined'],
  ] as const)('%s with the password %o into %o: %s', { timeout: 60_000 }, async (row, { expect }) => {
    const [signIn, password, channels, outcome] = row
    expect(await told(signIn, password, ...channels)).toBe(outcome)
  })
})
