/** A real network of channels (inspircd) with real services (anope): NickServ, SASL PLAIN, and a channel for the registered alone. */
import { mkdirSync, writeFileSync } from 'node:fs'
import { connect, type Socket } from 'node:net'
import path from 'node:path'
import { DaemonProcess, until } from './daemon-process.ts'
import { freePort } from './free-port.ts'
import { temporaryFolder } from './running-wharf.ts'

export const registeredNick = 'reader'
export const registeredPassword = 'secret-word'
/** Anybody may come in. */
export const openChannel = '#open'
/** Only who is signed in may. */
export const registeredChannel = '#registered'

/** Where Debian keeps the modules of the services. */
const modulesFolder = '/usr/lib/anope'
const network = 'irc.test.example'
const services = 'services.test.example'
const link = 'link-word'

export interface IrcServices {
  readonly port: number
  dispose(): Promise<void>
}

export async function startIrcServices(parts: {
  readonly inspircd: string
  readonly anope: string
}): Promise<IrcServices> {
  const folder = temporaryFolder()
  const place = (name: string) => path.join(folder.path, name)
  for (const name of ['conf', 'db', 'logs']) mkdirSync(place(name))
  const [port, linkPort] = [await freePort(), await freePort()]
  writeFileSync(place('inspircd.conf'), networkSettings(place, port, linkPort))
  writeFileSync(place('conf/services.conf'), servicesSettings(place, linkPort))
  writeFileSync(place('conf/services.motd'), '')
  const server = new DaemonProcess(parts.inspircd, ['--nofork', '--runasroot', '--config', place('inspircd.conf')])
  await until('the network to listen', () => isListening(port))
  const answering = new DaemonProcess(parts.anope, [
    '--nofork',
    `--confdir=${place('conf')}`,
    `--dbdir=${place('db')}`,
    `--logdir=${place('logs')}`,
    `--modulesdir=${modulesFolder}`,
  ])
  const owner = await registerOwner(port)
  return {
    port,
    async dispose() {
      owner.destroy()
      await Promise.all([answering.stop(), server.stop()])
      folder.remove()
    },
  }
}

function networkSettings(place: (name: string) => string, port: number, linkPort: number): string {
  const modules = ['spanningtree', 'services_account', 'hidechans', 'cap', 'sasl']
  return `
<server name="${network}" description="Test" network="Test">
<admin name="a" nick="a" email="a@test.example">
<bind address="127.0.0.1" port="${port}" type="clients">
<bind address="127.0.0.1" port="${linkPort}" type="servers">
<connect name="main" allow="*" timeout="20" localmax="100" globalmax="100" resolvehostnames="no" useident="no">
${modules.map((name) => `<module name="${name}">`).join('\n')}
<sasl target="${services}">
<link name="${services}" ipaddr="127.0.0.1" port="${linkPort}" allowmask="127.0.0.0/8" sendpass="${link}" recvpass="${link}">
<uline server="${services}" silent="yes">
<pid file="${place('inspircd.pid')}">
<log method="stdout" type="*" level="default">
<path configdir="${place('')}" datadir="${place('db')}" logdir="${place('logs')}">
`
}

/** Nicks are protected, as networks have it: whoever takes a registered one is asked at once to sign in. */
function servicesSettings(place: (name: string) => string, linkPort: number): string {
  const blocks: readonly (readonly [string, Readonly<Record<string, string>>])[] = [
    ['uplink', { host: '"127.0.0.1"', port: String(linkPort), password: `"${link}"` }],
    [
      'serverinfo',
      { name: `"${services}"`, description: '"Services"', pid: `"${place('anope.pid')}"`, motd: '"services.motd"' },
    ],
    ['module', { name: '"inspircd3"' }],
    ['networkinfo', { networkname: '"Test"', nicklen: '31', userlen: '10', hostlen: '64', chanlen: '32' }],
    [
      'options',
      {
        casemap: '"rfc1459"',
        passlen: '32',
        seed: '1',
        badpasslimit: '50',
        badpasstimeout: '1h',
        updatetimeout: '5m',
        expiretimeout: '30m',
        readtimeout: '5s',
        warningtimeout: '4h',
        timeoutcheck: '3s',
        retrywait: '1s',
      },
    ],
    ['service', { nick: '"NickServ"', user: '"services"', host: `"${services}"`, gecos: '"Nicks"' }],
    [
      'module',
      { name: '"nickserv"', client: '"NickServ"', defaults: '"ns_secure killprotect"', regdelay: '0s', expire: '0' },
    ],
    ['module', { name: '"ns_register"', registration: '"none"', nickregdelay: '0s' }],
    ['module', { name: '"ns_identify"' }],
    ['command', { service: '"NickServ"', name: '"REGISTER"', command: '"nickserv/register"' }],
    ['command', { service: '"NickServ"', name: '"IDENTIFY"', command: '"nickserv/identify"' }],
    ['module', { name: '"enc_sha256"' }],
    ['module', { name: '"db_flatfile"', database: '"anope.db"' }],
    ['module', { name: '"m_sasl"' }],
  ]
  const written = ([name, fields]: (typeof blocks)[number]) =>
    `${name} { ${Object.entries(fields)
      .map(([key, value]) => `${key} = ${value};`)
      .join(' ')} }`
  return `${blocks.map(written).join('\n')}\n`
}

/** Registers the nick, and leaves it for another one, who keeps both channels open. */
async function registerOwner(port: number): Promise<Socket> {
  const socket = connect(port, '127.0.0.1')
  let heard = ''
  socket.setEncoding('utf8').on('data', (text: string) => {
    heard += text
    const ping = /^PING (.*)$/m.exec(text)
    if (ping !== null) socket.write(`PONG ${ping[1]}\r\n`)
  })
  const wait = (what: string) => until(what, async () => (heard.includes(what) ? true : undefined))
  socket.write(`NICK ${registeredNick}\r\nUSER owner 0 * :owner\r\n`)
  await wait(' 001 ')
  // The services link up after the network listens, and a name that is not there yet is answered with 401.
  await until('the services to register', async () => {
    socket.write(`PRIVMSG NickServ :REGISTER ${registeredPassword} owner@test.example\r\n`)
    await new Promise((resolve) => setTimeout(resolve, 300))
    return / 900 /.test(heard) ? true : undefined
  })
  socket.write(`NICK keeper\r\nJOIN ${openChannel}\r\nJOIN ${registeredChannel}\r\nMODE ${registeredChannel} +R\r\n`)
  await wait(`MODE ${registeredChannel}`)
  return socket
}

function isListening(port: number): Promise<true | undefined> {
  return new Promise((resolve) => {
    const socket = connect(port, '127.0.0.1', () => {
      socket.destroy()
      resolve(true)
    }).on('error', () => resolve(undefined))
  })
}
