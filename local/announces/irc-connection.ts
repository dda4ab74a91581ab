/** One connection to the server of channels: signs in, asks to be let in, joins, and hands over what is said there. It says nothing else. */
import { connect as connectPlain, isIP, type Socket } from 'node:net'
import { connect as connectEncrypted, type TLSSocket } from 'node:tls'
import type { AnnounceReason } from '../../workers/app/core/reason/reason.ts'
import type { AnnounceSource } from '../../workers/app/ports/feeds.ts'
import { type IrcLine, readIrcLine } from './irc-line.ts'
import { ircDeadMs, ircEnterMs, ircJoinMs, ircLineBytesMax, ircQuietMs, nickServMs } from './limits.ts'

export type IrcPlace = Pick<
  AnnounceSource,
  'server' | 'port' | 'isEncrypted' | 'nick' | 'password' | 'signIn' | 'certificate'
>

export interface IrcEvents {
  joined(channel: string): void
  said(channel: string, nick: string, text: string): void
  /** Once, with nothing after it. */
  ended(why: AnnounceReason['kind']): void
}

/** The nick, the password or the way of signing in was refused. */
const signInRefused = new Set(['432', '433', '436', '437', '464', '465', '902', '904', '905', '906', '908'])
/** The channel is full, locked, for others, or none. */
const channelRefused = new Set(['403', '405', '471', '473', '474', '475', '476', '477', '489', '520'])

export class IrcConnection {
  readonly #place: IrcPlace
  readonly #channels: ReadonlySet<string>
  /** What is said to announcers that let people in. */
  readonly #enters: readonly string[]
  readonly #events: IrcEvents
  readonly #socket: Socket
  readonly #joined = new Set<string>()
  readonly #timers: NodeJS.Timeout[] = []
  #rest = ''
  #heardAtMs = performance.now()
  #isOver = false
  #isWelcome = false
  /** NickServ may say more than one thing, and only one of them is that we are signed in. */
  #isAwaitingServices = false
  #hasAskedToJoin = false
  #hasAskedToEnter = false

  constructor(place: IrcPlace, channels: readonly string[], enters: readonly string[], events: IrcEvents) {
    this.#place = place
    this.#channels = new Set(channels.map(folded))
    this.#enters = enters
    this.#events = events
    this.#socket = this.#connect()
    this.#socket.setEncoding('utf8')
    this.#socket.setNoDelay(true)
    this.#socket.on('data', (text: string) => this.#take(text))
    this.#socket.on('error', (error: NodeJS.ErrnoException) =>
      this.#end(isOfCertificate(error) ? 'certificate' : 'unreachable'),
    )
    this.#socket.on('close', () => this.#end('unreachable'))
    this.#later(ircJoinMs, () => {
      if (this.#joined.size < this.#channels.size) this.#end(this.#isWelcome ? 'credentials' : 'unreachable')
    })
    this.#timers.push(setInterval(() => this.#watch(), ircQuietMs))
  }

  close(): void {
    if (!this.#isOver) this.#send('QUIT')
    this.#isOver = true
    for (const timer of this.#timers) clearTimeout(timer)
    this.#socket.end()
    this.#socket.destroySoon()
  }

  #connect(): Socket {
    const { server: host, port, isEncrypted, certificate } = this.#place
    if (!isEncrypted) return connectPlain({ host, port }, () => this.#register())
    const socket = connectEncrypted(
      {
        host,
        port,
        minVersion: 'TLSv1.2',
        ...(isIP(host) === 0 ? { servername: host } : {}),
        // The named one is compared below, before anything is said.
        rejectUnauthorized: certificate === undefined,
      },
      () => (isNamed(socket, certificate) ? this.#register() : this.#end('certificate')),
    )
    return socket
  }

  #register(): void {
    const { nick, password, signIn } = this.#place
    if (signIn === 'sasl') this.#send('CAP REQ :sasl')
    if (signIn === 'none' && password !== '') this.#send(`PASS ${password}`)
    this.#send(`NICK ${nick}`)
    this.#send(`USER ${nick} 0 * :${nick}`)
  }

  #take(text: string): void {
    this.#heardAtMs = performance.now()
    const lines = (this.#rest + text).split(/\r?\n/)
    this.#rest = lines.pop() ?? ''
    // A server that ends no line is none.
    if (this.#rest.length > ircLineBytesMax) this.#end('unreachable')
    for (const line of lines) if (!this.#isOver && line !== '') this.#hear(readIrcLine(line))
  }

  #hear({ nick, command, parameters }: IrcLine): void {
    const last = parameters.at(-1) ?? ''
    const channel = folded(parameters[0] ?? '')
    if (signInRefused.has(command)) this.#end('credentials')
    else if (channelRefused.has(command)) this.#refused()
    else if (command === 'PING') this.#send(`PONG :${last}`)
    else if (command === 'PRIVMSG' && this.#channels.has(channel)) this.#events.said(channel, folded(nick), last)
    else if (command === 'NOTICE' && folded(nick) === 'nickserv' && this.#isAwaitingServices) this.#greeted()
    else if (command === '900' && this.#isAwaitingServices) this.#join()
    else if (command === 'INVITE' && this.#channels.has(folded(last))) this.#send(`JOIN ${last}`)
    else if (command === '001') this.#welcomed()
    // The end of the names: we are in.
    else if (command === '366') this.#enter(folded(parameters[1] ?? ''))
    else if (command === 'KICK' && folded(parameters[1] ?? '') === folded(this.#place.nick)) this.#end('credentials')
    // Some servers close on a wrong password with words and no number.
    else if (command === 'ERROR' && !this.#isWelcome && /password|denied|banned/i.test(last)) this.#end('credentials')
    else this.#goOn(command, parameters[1]?.toUpperCase())
  }

  /** The steps of SASL, and what is of no interest. */
  #goOn(command: string, answer: string | undefined): void {
    if (command === 'CAP' && answer === 'NAK') this.#end('credentials')
    else if (command === 'CAP' && answer === 'ACK') this.#send('AUTHENTICATE PLAIN')
    else if (command === 'AUTHENTICATE') this.#proveSelf()
    else if (command === '903') this.#send('CAP END')
  }

  /** SASL PLAIN, RFC 4616, in pieces of 400 characters. */
  #proveSelf(): void {
    const { nick, password } = this.#place
    const proof = Buffer.from(`\0${nick}\0${password}`).toString('base64')
    for (let at = 0; at < proof.length; at += 400) this.#send(`AUTHENTICATE ${proof.slice(at, at + 400)}`)
    if (proof.length % 400 === 0) this.#send('AUTHENTICATE +')
  }

  #welcomed(): void {
    this.#isWelcome = true
    if (this.#place.signIn !== 'nickserv') {
      this.#join()
      return
    }
    this.#isAwaitingServices = true
    this.#send(`PRIVMSG NickServ :IDENTIFY ${this.#place.password}`)
    this.#later(nickServMs, () => {
      this.#isAwaitingServices = false
      this.#join()
    })
  }

  /** It may be the answer, or a word before it: where the number of a sign-in comes as well, that one counts. */
  #greeted(): void {
    // A key is worth nothing to an announcer that does not know us yet.
    if (this.#hasAskedToJoin || this.#enters.length > 0) return
    this.#hasAskedToJoin = true
    this.#join()
  }

  /** A channel for the registered refuses whoever is not signed in yet. */
  #refused(): void {
    if (!this.#isAwaitingServices) this.#end('credentials')
  }

  /** Where somebody lets us in, that is asked first, and once: the door is tried when they had their time. */
  #join(): void {
    if (this.#enters.length === 0) this.#joinAll()
    if (this.#enters.length === 0 || this.#hasAskedToEnter) return
    this.#hasAskedToEnter = true
    for (const enter of this.#enters) {
      const at = enter.indexOf(' ')
      this.#send(`PRIVMSG ${enter.slice(0, at)} :${enter.slice(at + 1)}`)
    }
    this.#later(ircEnterMs, () => {
      this.#isAwaitingServices = false
      this.#joinAll()
    })
  }

  #joinAll(): void {
    for (const channel of this.#channels) if (!this.#joined.has(channel)) this.#send(`JOIN ${channel}`)
  }

  #enter(channel: string): void {
    if (!this.#channels.has(channel) || this.#joined.has(channel)) return
    this.#joined.add(channel)
    this.#events.joined(channel)
  }

  #watch(): void {
    const quietMs = performance.now() - this.#heardAtMs
    if (quietMs > ircDeadMs) this.#end('unreachable')
    else if (quietMs > ircQuietMs) this.#send('PING :wharf')
  }

  #later(ms: number, act: () => void): void {
    this.#timers.push(setTimeout(() => !this.#isOver && act(), ms))
  }

  /** Nothing of what is configured can end the line and begin another. */
  #send(line: string): void {
    if (!this.#socket.destroyed) this.#socket.write(`${line.replace(/[\r\n\0]/g, ' ')}\r\n`)
  }

  #end(why: 'unreachable' | 'certificate' | 'credentials'): void {
    if (this.#isOver) return
    this.close()
    this.#events.ended(`channel.${why}`)
  }
}

/** Names and channels are the same in any case. */
export function folded(name: string): string {
  return name.toLowerCase()
}

function isNamed(socket: TLSSocket, certificate: string | undefined): boolean {
  if (certificate === undefined) return socket.authorized
  const plain = (print: string) => print.replaceAll(':', '').toUpperCase()
  return plain(socket.getPeerCertificate().fingerprint256 ?? '') === plain(certificate)
}

function isOfCertificate({ code = '' }: NodeJS.ErrnoException): boolean {
  return /CERT|SELF_SIGNED|ISSUER|ALTNAME/.test(code)
}
