/** A real qBittorrent on loopback, with a folder of its own and no way out. */
import { pbkdf2Sync, randomBytes } from 'node:crypto'
import { mkdir, mkdtemp, rm, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import path from 'node:path'
import type { DownloaderSettings } from '../../workers/app/core/downloader.ts'
import { controlled, DaemonProcess } from './daemon-process.ts'
import type { DownloaderUnderTest } from './downloader-under-test.ts'
import { freePort } from './free-port.ts'
import type { MadeTorrent } from './make-torrent.ts'

const username = 'admin'
const password = 'wharf-test-password'

/** How often it looks at its torrents when nobody says otherwise: what an owner's does. */
export const usualRefreshMs = 1500

/** Refreshes more often than usual, so that tests of other things wait less for it. */
export async function startQbittorrent(program: string, refreshMs = 200): Promise<DownloaderUnderTest> {
  const folder = await mkdtemp(path.join(tmpdir(), 'wharf-qb-'))
  const savePath = path.join(folder, 'dl')
  const port = await freePort()
  await mkdir(path.join(folder, 'qBittorrent/config'), { recursive: true })
  await mkdir(savePath)
  await writeFile(
    path.join(folder, 'qBittorrent/config/qBittorrent.conf'),
    settingsFile({ savePath, refreshMs, webPort: port, peerPort: await freePort() }),
  )
  const baseUrl = `http://127.0.0.1:${port}`
  const process = await controlled(run, () => rm(folder, { recursive: true, force: true }))

  async function run(): Promise<DaemonProcess> {
    const started = new DaemonProcess(program, [`--profile=${folder}`])
    await started.ready(`${baseUrl}/api/v2/app/version`)
    return started
  }

  async function post(name: string, body: FormData | URLSearchParams): Promise<string> {
    const signIn = await fetch(`${baseUrl}/api/v2/auth/login`, {
      method: 'POST',
      body: new URLSearchParams({ username, password }),
    })
    const cookie = signIn.headers.getSetCookie()[0]?.split(';')[0] ?? ''
    const answer = await fetch(`${baseUrl}/api/v2/${name}`, { method: 'POST', headers: { cookie }, body })
    return answer.text()
  }

  return {
    kind: 'qbittorrent',
    settings: { kind: 'qbittorrent', baseUrl, username, password } satisfies DownloaderSettings,
    savePath,
    stoppedState: 'paused',
    hasTags: true,
    hasLimits: true,
    cannot: [],
    async add(torrent: MadeTorrent, options) {
      if (options.hasData) await writeFile(path.join(savePath, torrent.name), torrent.data)
      const form = new FormData()
      form.append('torrents', new Blob([new Uint8Array(torrent.file)]), `${torrent.name}.torrent`)
      form.append('paused', String(options.isPaused))
      form.append('stopped', String(options.isPaused))
      form.append('category', 'films')
      form.append('tags', 'one,two')
      const said = await post('torrents/add', form)
      if (!said.startsWith('Ok')) throw new Error(`the torrent was not added: ${said}`)
    },
    async removeElsewhere(infoHash) {
      await post('torrents/delete', new URLSearchParams({ hashes: infoHash, deleteFiles: 'false' }))
    },
    async pauseElsewhere(infoHash) {
      // Whichever of the two verbs this version knows; it answers 404 to the other.
      for (const verb of ['pause', 'stop']) await post(`torrents/${verb}`, new URLSearchParams({ hashes: infoHash }))
    },
    ...process,
  }
}

/** Several connections an address: all peers of a test have the same one, this daemon itself among them. */
function settingsFile(given: {
  readonly savePath: string
  readonly refreshMs: number
  readonly webPort: number
  readonly peerPort: number
}): string {
  const { savePath, refreshMs, webPort, peerPort } = given
  const salt = randomBytes(16)
  const hash = pbkdf2Sync(password, salt, 100_000, 64, 'sha512')
  return `[LegalNotice]
Accepted=true
[BitTorrent]
Session\\DHTEnabled=false
Session\\LSDEnabled=false
Session\\PeXEnabled=false
Session\\Interface=lo
Session\\InterfaceName=lo
Session\\InterfaceAddress=127.0.0.1
Session\\Port=${peerPort}
Session\\MultiConnectionsPerIp=true
Session\\DefaultSavePath=${savePath}
Session\\RefreshInterval=${refreshMs}
Session\\QueueingSystemEnabled=false
[Preferences]
WebUI\\Enabled=true
WebUI\\Address=127.0.0.1
WebUI\\Port=${webPort}
WebUI\\UseUPnP=false
WebUI\\LocalHostAuth=true
WebUI\\Username=${username}
WebUI\\Password_PBKDF2="@ByteArray(${salt.toString('base64')}:${hash.toString('base64')})"
`
}
