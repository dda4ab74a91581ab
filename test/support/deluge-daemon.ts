/** A real Deluge on loopback, its daemon and its web page, with a folder of their own and no way out. */
import { mkdir, mkdtemp, rm, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import path from 'node:path'
import { DaemonProcess, until } from './daemon-process.ts'
import type { DownloaderUnderTest } from './downloader-under-test.ts'
import { freePort } from './free-port.ts'

/** What its web page lets in with until its owner changes it. */
const password = 'deluge'

/** Its files of settings: two objects, the first of which tells the form of the second. */
const settingsFile = (form: object, settings: object) => JSON.stringify(form) + JSON.stringify(settings)

export async function startDeluge(
  programs: { readonly deluged: string; readonly delugeWeb: string },
  hasLabels = true,
): Promise<DownloaderUnderTest> {
  const folder = await mkdtemp(path.join(tmpdir(), 'wharf-de-'))
  const savePath = path.join(folder, 'dl')
  const [daemonPort, webPort] = [await freePort(), await freePort()]
  await mkdir(savePath)
  const quiet = { dht: false, lsd: false, upnp: false, natpmp: false, utpex: false }
  await writeFile(
    path.join(folder, 'core.conf'),
    settingsFile(
      { file: 1, format: 1 },
      {
        ...quiet,
        download_location: savePath,
        enabled_plugins: hasLabels ? ['Label'] : [],
        listen_interface: '127.0.0.1',
        outgoing_interface: '127.0.0.1',
        new_release_check: false,
        send_info: false,
        geoip_db_location: '',
        // Otherwise it lets only three load at a time.
        max_active_downloading: -1,
        max_active_seeding: -1,
        max_active_limit: -1,
        // A torrent that was made up a moment ago needs no rest before it may be told otherwise.
        pre_allocate_storage: false,
      },
    ),
  )
  const key = 'wharf-test-key'
  await writeFile(path.join(folder, 'auth'), `localclient:${key}:10\n`, { mode: 0o600 })
  await writeFile(
    path.join(folder, 'hostlist.conf'),
    settingsFile({ file: 3, format: 1 }, { hosts: [['daemon', '127.0.0.1', daemonPort, 'localclient', key]] }),
  )
  const baseUrl = `http://127.0.0.1:${webPort}`
  let cookie = ''
  let [daemon, web] = await run()

  async function run(): Promise<[DaemonProcess, DaemonProcess]> {
    const daemonArguments = ['-d', '-c', folder, '-u', '127.0.0.1', '-i', '127.0.0.1', '-p', String(daemonPort)]
    const webArguments = ['-d', '-c', folder, '-i', '127.0.0.1', '-p', String(webPort)]
    const started: [DaemonProcess, DaemonProcess] = [
      new DaemonProcess(programs.deluged, daemonArguments),
      new DaemonProcess(programs.delugeWeb, webArguments),
    ]
    await started[1].ready(baseUrl)
    cookie = ''
    await until('its page to reach the daemon', async () => {
      await call('auth.login', [password])
      await call('web.connect', ['daemon'])
      return (await call('web.connected', [])) === true ? true : undefined
    })
    return started
  }

  async function call(method: string, params: readonly unknown[]): Promise<unknown> {
    const answer = await fetch(`${baseUrl}/json`, {
      method: 'POST',
      headers: { 'content-type': 'application/json', cookie },
      body: JSON.stringify({ method, params, id: 1 }),
    })
    cookie = answer.headers.get('set-cookie')?.split(';', 1)[0] ?? cookie
    const { result, error } = (await answer.json()) as { readonly result: unknown; readonly error: unknown }
    if (error !== null) throw new Error(`${method}: ${JSON.stringify(error)}`)
    return result
  }

  return {
    kind: 'deluge',
    settings: { kind: 'deluge', baseUrl, username: '', password },
    savePath,
    stoppedState: 'paused',
    hasTags: false,
    hasLimits: true,
    cannot: [],
    async add(torrent, options) {
      if (options.hasData) await writeFile(path.join(savePath, torrent.name), torrent.data)
      const given = { add_paused: options.isPaused }
      await call('core.add_torrent_file', ['made.torrent', torrent.file.toString('base64'), given])
      if (!hasLabels) return
      if (!((await call('label.get_labels', [])) as string[]).includes('films')) await call('label.add', ['films'])
      await call('label.set_torrent', [torrent.infoHash, 'films'])
    },
    async removeElsewhere(infoHash) {
      await call('core.remove_torrent', [infoHash, false])
    },
    async pauseElsewhere(infoHash) {
      await call('core.pause_torrents', [[infoHash]])
    },
    async stop(signal) {
      await Promise.all([daemon.stop(signal), web.stop(signal)])
    },
    async restart() {
      await Promise.all([daemon.stop(), web.stop()])
      ;[daemon, web] = await run()
    },
    freeze() {
      daemon.freeze()
      web.freeze()
    },
    thaw() {
      daemon.thaw()
      web.thaw()
    },
    async dispose() {
      daemon.thaw()
      web.thaw()
      await Promise.all([daemon.stop(), web.stop()])
      await rm(folder, { recursive: true, force: true })
    },
  }
}
