/** A real rTorrent behind nginx, as its owners put it there, with a folder of its own and no way out. */
import { mkdir, mkdtemp, rm, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import path from 'node:path'
import { Base64Text, readAnswer, writeCall, type XmlRpcArgument } from '../../workers/app/core/xml-rpc.ts'
import { controlled, DaemonProcess, until } from './daemon-process.ts'
import type { DownloaderUnderTest } from './downloader-under-test.ts'
import { freePort } from './free-port.ts'

const username = 'owner'
const password = 'wharf-test-password'

export async function startRtorrent(programs: {
  readonly rtorrent: string
  readonly nginx: string
}): Promise<DownloaderUnderTest> {
  const folder = await mkdtemp(path.join(tmpdir(), 'wharf-rt-'))
  const savePath = path.join(folder, 'dl')
  const port = await freePort()
  const socket = path.join(folder, 'rpc.socket')
  for (const one of ['dl', 'session', 'temporary']) await mkdir(path.join(folder, one))
  await writeFile(
    path.join(folder, 'rtorrent.rc'),
    [
      'system.daemon.set = true',
      `directory.default.set = ${savePath}`,
      `session.path.set = ${folder}/session`,
      `network.scgi.open_local = ${socket}`,
      `network.port_range.set = ${await freePort()}-65535`,
      'network.bind_address.set = 127.0.0.1',
      'network.xmlrpc.size_limit.set = 16777216',
      'dht.mode.set = disable',
      'protocol.pex.set = no',
      'trackers.use_udp.set = no',
    ].join('\n'),
  )
  await writeFile(path.join(folder, 'passwords'), `${username}:{PLAIN}${password}\n`)
  await writeFile(
    path.join(folder, 'nginx.conf'),
    [
      'daemon off;',
      'master_process off;',
      `pid ${folder}/nginx.pid;`,
      'error_log stderr warn;',
      'events {}',
      'http {',
      'access_log off;',
      'client_max_body_size 16m;',
      ...['client_body', 'proxy', 'fastcgi', 'uwsgi', 'scgi'].map(
        (one) => `${one}_temp_path ${folder}/temporary/${one};`,
      ),
      'server {',
      `listen 127.0.0.1:${port};`,
      'auth_basic "rtorrent";',
      `auth_basic_user_file ${folder}/passwords;`,
      `location /RPC2 { include /etc/nginx/scgi_params; scgi_pass unix:${socket}; }`,
      '}',
      '}',
    ].join('\n'),
  )
  const baseUrl = `http://127.0.0.1:${port}`
  const nginx = new DaemonProcess(programs.nginx, ['-p', folder, '-c', 'nginx.conf', '-e', 'stderr'])
  const process = await controlled(run, async () => {
    await nginx.stop()
    await rm(folder, { recursive: true, force: true })
  })

  async function run(): Promise<DaemonProcess> {
    await rm(socket, { force: true })
    const started = new DaemonProcess(programs.rtorrent, ['-n', '-o', `import=${folder}/rtorrent.rc`], {
      HOME: folder,
      TERM: 'dumb',
    })
    await started.ready(baseUrl)
    await until('rTorrent to answer', async () =>
      call('system.client_version', []).then(
        () => true,
        () => undefined,
      ),
    )
    return started
  }

  async function call(method: string, params: readonly XmlRpcArgument[]): Promise<unknown> {
    const answer = await fetch(`${baseUrl}/RPC2`, {
      method: 'POST',
      headers: { 'content-type': 'text/xml', authorization: `Basic ${btoa(`${username}:${password}`)}` },
      body: writeCall(method, params),
    })
    const told = readAnswer(await answer.text())
    if (!told.ok) throw new Error(`${method}: ${answer.status} ${JSON.stringify(told.failure)}`)
    return told.value
  }

  return {
    kind: 'rtorrent',
    settings: { kind: 'rtorrent', baseUrl, username, password },
    savePath,
    stoppedState: 'stopped',
    hasTags: true,
    hasLimits: false,
    cannot: ['change_tracker', 'remove_tracker', 'rename_file', 'sequential', 'rename'],
    async add(torrent, options) {
      if (options.hasData) await writeFile(path.join(savePath, torrent.name), torrent.data)
      const file = new Base64Text(torrent.file.toString('base64'))
      await call(options.isPaused ? 'load.raw' : 'load.raw_start', ['', file, 'd.custom1.set="films,one,two"'])
    },
    async removeElsewhere(infoHash) {
      await call('d.erase', [infoHash.toUpperCase()])
    },
    async pauseElsewhere(infoHash) {
      await call('d.stop', [infoHash.toUpperCase()])
    },
    ...process,
  }
}
