/** nginx with TLS in front of the service, set up by the text of docs/proxy.md, and callers from several addresses. */
import { existsSync, mkdirSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import type { IncomingHttpHeaders } from 'node:http'
import { request } from 'node:https'
import { tmpdir } from 'node:os'
import path from 'node:path'
import { connect } from 'node:tls'
import { DaemonProcess, until } from './daemon-process.ts'
import { makeCertificate } from './own-certificate.ts'

export const publicName = 'wharf.example'

export interface ProxiedAnswer {
  readonly status: number
  readonly headers: IncomingHttpHeaders
  readonly text: string
  /** How many pieces the body came in. */
  readonly pieces: number
}

export interface NginxProxy {
  /** `https://wharf.example:PORT` */
  readonly origin: string
  /** What was asked of the name's other service, in order; nothing where there is none. */
  askedElsewhere(): string[]
  /** Asks through nginx, from an address of this machine. */
  ask(
    method: string,
    target: string,
    options?: { readonly from?: string; readonly headers?: Readonly<Record<string, string>>; readonly json?: unknown },
  ): Promise<ProxiedAnswer>
  stop(): Promise<void>
}

/** The first block of docs/proxy.md in that language. */
function documented(language: string): string {
  const text = readFileSync(path.join(import.meta.dirname, '../../docs/proxy.md'), 'utf8')
  const block = new RegExp(`\`\`\`${language}\\n([^]*?)\n\`\`\``).exec(text)?.[1]
  if (block === undefined) throw new Error(`docs/proxy.md has no block of ${language}`)
  return block
}

function replaced(text: string, from: string, to: string): string {
  if (!text.includes(from)) throw new Error(`docs/proxy.md does not say ${from}`)
  return text.replaceAll(from, to)
}

export async function startNginx(
  parts: { readonly nginx: string; readonly openssl: string },
  port: number,
  service: string,
  /** The path that is left to the service, as docs/proxy.md has it for a shared name; another answers at the rest. */
  basePath = '',
): Promise<NginxProxy> {
  const folder = mkdtempSync(path.join(tmpdir(), 'wharf-nginx-'))
  const { certificate, key } = makeCertificate(parts.openssl, folder, publicName)
  let server = documented('nginx')
  server = replaced(server, 'listen 443 ssl;', `listen 127.0.0.1:${port} ssl;`)
  server = replaced(server, '/etc/ssl/wharf/certificate.pem', certificate)
  server = replaced(server, '/etc/ssl/wharf/key.pem', key)
  server = replaced(server, 'http://127.0.0.1:8787', service)
  const elsewhere = path.join(folder, 'elsewhere.log')
  if (basePath !== '') {
    const other = `location / { access_log ${elsewhere} asked; default_type text/html; return 200 "something else"; }`
    server = replaced(server, 'location / {', `${other}\nlocation ${basePath}/ {`)
  }
  const temporary = ['client_body', 'proxy', 'fastcgi', 'uwsgi', 'scgi']
  mkdirSync(path.join(folder, 'temporary'))
  const lines = [
    'daemon off;',
    'master_process off;',
    `pid ${folder}/nginx.pid;`,
    'error_log stderr warn;',
    'events {}',
    'http {',
    'access_log off;',
    "log_format asked '$request_uri';",
    ...temporary.map((name) => `${name}_temp_path ${folder}/temporary/${name};`),
    server,
    '}',
  ]
  writeFileSync(path.join(folder, 'nginx.conf'), lines.join('\n'))
  const daemon = new DaemonProcess(parts.nginx, ['-p', folder, '-c', 'nginx.conf', '-e', 'stderr'])
  const ca = readFileSync(certificate)
  const reach = { host: '127.0.0.1', port, servername: publicName, ca }
  await until('nginx to take connections', async () => isOpen(reach))
  return {
    origin: `https://${publicName}:${port}`,
    ask: (method, target, { from = '127.0.0.1', headers = {}, json } = {}) =>
      new Promise((resolve, reject) => {
        const body = json === undefined ? undefined : JSON.stringify(json)
        const sent = request(
          {
            ...reach,
            method,
            path: target,
            localAddress: from,
            agent: false,
            headers: {
              host: `${publicName}:${port}`,
              ...(body === undefined ? {} : { 'content-type': 'application/json' }),
              ...headers,
            },
          },
          (answer) => {
            let text = ''
            let pieces = 0
            answer.setEncoding('utf8')
            answer.on('data', (piece: string) => {
              text += piece
              pieces += 1
            })
            answer.on('end', () => resolve({ status: answer.statusCode ?? 0, headers: answer.headers, text, pieces }))
            answer.on('error', reject)
          },
        )
        sent.on('error', reject)
        sent.end(body)
      }),
    askedElsewhere: () => (existsSync(elsewhere) ? readFileSync(elsewhere, 'utf8').split('\n').filter(Boolean) : []),
    async stop() {
      await daemon.stop()
      rmSync(folder, { recursive: true, force: true })
    },
  }
}

function isOpen(reach: { host: string; port: number; servername: string; ca: Buffer }): Promise<true | undefined> {
  return new Promise((resolve) => {
    const socket = connect(reach, () => {
      socket.destroy()
      resolve(true)
    })
    socket.on('error', () => resolve(undefined))
  })
}
