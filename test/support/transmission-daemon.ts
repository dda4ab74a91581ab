/** A real Transmission on loopback, with a folder of its own and no way out. */
import { mkdir, mkdtemp, rm, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import path from 'node:path'
import { controlled, DaemonProcess } from './daemon-process.ts'
import type { DownloaderUnderTest } from './downloader-under-test.ts'
import { freePort } from './free-port.ts'

const username = 'owner'
const password = 'wharf-test-password'

export async function startTransmission(program: string): Promise<DownloaderUnderTest> {
  const folder = await mkdtemp(path.join(tmpdir(), 'wharf-tr-'))
  const savePath = path.join(folder, 'dl')
  const port = await freePort()
  await mkdir(savePath)
  await writeFile(
    path.join(folder, 'settings.json'),
    JSON.stringify({
      'rpc-enabled': true,
      'rpc-bind-address': '127.0.0.1',
      'rpc-port': port,
      'rpc-authentication-required': true,
      'rpc-username': username,
      'rpc-password': password,
      'rpc-whitelist': '127.0.0.1',
      'rpc-whitelist-enabled': true,
      'bind-address-ipv4': '127.0.0.1',
      'bind-address-ipv6': '::1',
      'dht-enabled': false,
      'lpd-enabled': false,
      'pex-enabled': false,
      'utp-enabled': false,
      'port-forwarding-enabled': false,
      'peer-port': await freePort(),
      'download-dir': savePath,
      'incomplete-dir-enabled': false,
    }),
  )
  const baseUrl = `http://127.0.0.1:${port}`
  const address = `${baseUrl}/transmission/rpc`
  const process = await controlled(run, () => rm(folder, { recursive: true, force: true }))

  async function run(): Promise<DaemonProcess> {
    const started = new DaemonProcess(program, ['--foreground', '--config-dir', folder])
    await started.ready(address)
    return started
  }

  async function call(method: string, args: Readonly<Record<string, unknown>>): Promise<void> {
    const headers = { authorization: `Basic ${btoa(`${username}:${password}`)}` }
    const body = JSON.stringify({ method, arguments: args })
    const first = await fetch(address, { method: 'POST', headers, body })
    await first.arrayBuffer()
    const session = first.headers.get('x-transmission-session-id') ?? ''
    const answer = await fetch(address, {
      method: 'POST',
      headers: { ...headers, 'x-transmission-session-id': session },
      body,
    })
    const said = (await answer.json()) as { readonly result: string }
    if (said.result !== 'success') throw new Error(`${method}: ${said.result}`)
  }

  return {
    kind: 'transmission',
    settings: { kind: 'transmission', baseUrl, username, password },
    savePath,
    stoppedState: 'stopped',
    hasTags: true,
    hasLimits: true,
    cannot: ['sequential', 'first_last'],
    async add(torrent, options) {
      if (options.hasData) await writeFile(path.join(savePath, torrent.name), torrent.data)
      await call('torrent-add', { metainfo: torrent.file.toString('base64'), paused: options.isPaused })
      await call('torrent-set', { ids: [torrent.infoHash], labels: ['films', 'one', 'two'] })
    },
    removeElsewhere: (infoHash) => call('torrent-remove', { ids: [infoHash], 'delete-local-data': false }),
    pauseElsewhere: (infoHash) => call('torrent-stop', { ids: [infoHash] }),
    ...process,
  }
}
