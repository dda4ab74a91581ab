/** A real IRC server (ngircd) on loopback with a password, a plain and an encrypted port, and somebody who announces. */
import { createHash, X509Certificate } from 'node:crypto'
import { readFileSync, rmSync, writeFileSync } from 'node:fs'
import { connect, type Socket } from 'node:net'
import path from 'node:path'
import { DaemonProcess, until } from './daemon-process.ts'
import { freePort } from './free-port.ts'
import { makeCertificate } from './own-certificate.ts'
import { temporaryFolder } from './running-wharf.ts'

export const ircPassword = 'door-word'
export const ircChannel = '#announce'
export const announcer = 'Herald'

export const invitedChannel = '#invited'
export const doorkeeper = 'Porter'

export interface IrcServer {
  readonly port: number
  readonly encryptedPort: number
  /** SHA-256 of the certificate that it signed itself. */
  readonly certificate: string
  announce(text: string, nick?: string): Promise<void>
  /** A channel for the invited alone, and who invites whoever says this. */
  keepDoor(word: string): Promise<Doorkeeper>
  stop(): Promise<void>
  start(): Promise<void>
  dispose(): Promise<void>
}

export async function startIrcServer(parts: { readonly ngircd: string; readonly openssl: string }): Promise<IrcServer> {
  const folder = temporaryFolder()
  const configFile = path.join(folder.path, 'ngircd.conf')
  const { certificate: certFile, key: keyFile } = makeCertificate(parts.openssl, folder.path, 'irc.test')
  const certificate = createHash('sha256')
    .update(new X509Certificate(readFileSync(certFile)).raw)
    .digest('hex')
  const [port, encryptedPort] = [await freePort(), await freePort()]
  writeFileSync(
    configFile,
    `[Global]
Name = irc.test.example
Info = Test
Listen = 127.0.0.1
Ports = ${port}
Password = ${ircPassword}
ServerUID = ${process.getuid?.() ?? 0}
ServerGID = ${process.getgid?.() ?? 0}
MotdPhrase = "Hello"
[Limits]
MaxConnectionsIP = 0
MaxNickLength = 20
[Options]
DNS = no
Ident = no
PAM = no
SyslogFacility = local1
[SSL]
CertFile = ${certFile}
KeyFile = ${keyFile}
Ports = ${encryptedPort}
[Channel]
Name = ${ircChannel}
`,
  )
  const speakers = new Map<string, Speaker>()
  const keepers: Doorkeeper[] = []
  let daemon = await run()

  async function run(): Promise<DaemonProcess> {
    const started = new DaemonProcess(parts.ngircd, ['--nodaemon', '--config', configFile])
    await until('the channel server to listen', () => isListening(port))
    return started
  }

  return {
    port,
    encryptedPort,
    certificate,
    async announce(text, nick = announcer) {
      const speaker = speakers.get(nick) ?? (await Speaker.enter(port, nick))
      speakers.set(nick, speaker)
      speaker.say(text)
    },
    async keepDoor(word) {
      const keeper = await Doorkeeper.enter(port, word)
      keepers.push(keeper)
      return keeper
    },
    stop,
    async start() {
      daemon = await run()
    },
    async dispose() {
      await stop()
      rmSync(folder.path, { recursive: true, force: true })
    },
  }

  async function stop(): Promise<void> {
    for (const speaker of speakers.values()) speaker.leave()
    speakers.clear()
    for (const keeper of keepers.splice(0)) keeper.leave()
    await daemon.stop()
  }
}

class Speaker {
  readonly #socket: Socket

  private constructor(socket: Socket) {
    this.#socket = socket
  }

  static async enter(port: number, nick: string): Promise<Speaker> {
    const socket = connect(port, '127.0.0.1')
    let heard = ''
    socket.setEncoding('utf8').on('data', (text: string) => {
      heard += text
      const ping = /^PING (.*)$/m.exec(text)
      if (ping !== null) socket.write(`PONG ${ping[1]}\r\n`)
    })
    socket.write(`PASS ${ircPassword}\r\nNICK ${nick}\r\nUSER ${nick} 0 * :${nick}\r\nJOIN ${ircChannel}\r\n`)
    await until('the announcer to be in the channel', async () => (heard.includes(' 366 ') ? true : undefined))
    return new Speaker(socket)
  }

  say(text: string): void {
    this.#socket.write(`PRIVMSG ${ircChannel} :${text}\r\n`)
  }

  leave(): void {
    this.#socket.destroy()
  }
}

/** As announcers of sites do it: who opens a channel may invite, and does so for a word with the member's key. */
export class Doorkeeper {
  readonly #socket: Socket
  /** What was said to it, and by whom. */
  readonly heard: (readonly [string, string])[] = []

  private constructor(socket: Socket, word: string) {
    this.#socket = socket
    let rest = ''
    socket.setEncoding('utf8').on('data', (text: string) => {
      const lines = (rest + text).split('\r\n')
      rest = lines.pop() ?? ''
      for (const line of lines) {
        if (line.startsWith('PING ')) socket.write(`PONG ${line.slice(5)}\r\n`)
        const [, nick = '', said = ''] = new RegExp(`^:([^!]+)\\S* PRIVMSG ${doorkeeper} :(.*)$`).exec(line) ?? []
        if (nick === '') continue
        this.heard.push([nick, said])
        socket.write(said === word ? `INVITE ${nick} ${invitedChannel}\r\n` : `NOTICE ${nick} :No.\r\n`)
      }
    })
  }

  static async enter(port: number, word: string): Promise<Doorkeeper> {
    const socket = connect(port, '127.0.0.1')
    let heard = ''
    const keeper = new Doorkeeper(socket, word)
    socket.on('data', (text: string) => {
      heard += text
    })
    socket.write(`PASS ${ircPassword}\r\nNICK ${doorkeeper}\r\nUSER ${doorkeeper} 0 * :${doorkeeper}\r\n`)
    socket.write(`JOIN ${invitedChannel}\r\nMODE ${invitedChannel} +i\r\n`)
    await until('the channel to be closed', async () => (/ MODE #invited \+i/.test(heard) ? true : undefined))
    return keeper
  }

  say(text: string): void {
    this.#socket.write(`PRIVMSG ${invitedChannel} :${text}\r\n`)
  }

  leave(): void {
    this.#socket.destroy()
  }
}

function isListening(port: number): Promise<true | undefined> {
  return new Promise((resolve) => {
    const socket = connect(port, '127.0.0.1', () => {
      socket.destroy()
      resolve(true)
    }).on('error', () => resolve(undefined))
  })
}
