/** The pages, as static assets of the edge are served: by their folder, with the headers that its `_headers` says. */
import { createHash } from 'node:crypto'
import { existsSync, readdirSync, readFileSync } from 'node:fs'
import path from 'node:path'
import { gzipSync } from 'node:zlib'
import { basePathAt } from '../../workers/app/core/base-path.ts'
import { isPackable, packedFromBytes, packedHeaders, takesGzip } from '../workerd/packing.ts'

interface Asset {
  readonly bytes: Uint8Array<ArrayBuffer>
  /** Of those that are worth it. */
  readonly packed: Uint8Array<ArrayBuffer> | undefined
  readonly headers: Readonly<Record<string, string>>
}

export interface Assets {
  fetch(request: Request): Promise<Response>
}

const types: Readonly<Record<string, string>> = {
  '.css': 'text/css; charset=utf-8',
  '.html': 'text/html; charset=utf-8',
  '.ico': 'image/x-icon',
  '.js': 'text/javascript; charset=utf-8',
  '.json': 'application/json',
  '.map': 'application/json',
  '.png': 'image/png',
  '.svg': 'image/svg+xml',
  '.txt': 'text/plain; charset=utf-8',
  '.webmanifest': 'application/manifest+json',
  '.woff2': 'font/woff2',
}

/** Where texts that are not built name addresses of ours: pages by attributes, the manifest by its fields. */
const ownAddresses: Readonly<Record<string, RegExp>> = {
  '.html': /(?<=\s(?:href|src)=")(?=\/)/g,
  '.webmanifest': /(?<=": ")(?=\/)/g,
}

/** An unknown path gets the page, which finds its way by itself. `basedAt`: as `basePathAt` has it. */
export function serveAssets(folder: string, basedAt: readonly string[] = []): Assets {
  const rules = readRules(path.join(folder, '_headers'))
  // What is served is what was there at the start; anything else is no asset.
  const known = new Set(
    existsSync(folder)
      ? readdirSync(folder, { recursive: true, withFileTypes: true })
          .filter((entry) => entry.isFile() && entry.name !== '_headers')
          .map(
            (entry) => `/${path.relative(folder, path.join(entry.parentPath, entry.name)).split(path.sep).join('/')}`,
          )
      : [],
  )
  const read = new Map<string, Asset>()
  const assetOf = (name: string, basePath: string): Asset => {
    const addresses = basePath === '' ? undefined : ownAddresses[path.extname(name)]
    const key = addresses === undefined ? name : `${basePath}${name}`
    const kept = read.get(key)
    if (kept !== undefined) return kept
    const stored = readFileSync(path.join(folder, name))
    const bytes = new Uint8Array(
      addresses === undefined ? stored : Buffer.from(`${stored}`.replace(addresses, basePath)),
    )
    const etag = createHash('sha256').update(bytes).digest('hex').slice(0, 32)
    const type = types[path.extname(name)] ?? 'application/octet-stream'
    const isPacked = bytes.length >= packedFromBytes && isPackable(type)
    const asset = {
      bytes,
      packed: isPacked ? new Uint8Array(gzipSync(bytes)) : undefined,
      headers: {
        'cache-control': 'public, max-age=0, must-revalidate',
        'content-type': type,
        etag: `"${etag}"`,
      },
    }
    read.set(key, asset)
    return asset
  }
  return {
    async fetch(request) {
      if (request.method !== 'GET' && request.method !== 'HEAD')
        return new Response(null, { status: 405, headers: { allow: 'GET, HEAD' } })
      const asked = pathOf(new URL(request.url).pathname)
      const basePath = basePathAt(request.url, basedAt)
      if (asked === '/index.html') return new Response(null, { status: 307, headers: { location: `${basePath}/` } })
      const page = asked.endsWith('.html') ? asked.slice(0, -'.html'.length) : undefined
      if (page !== undefined && known.has(asked))
        return new Response(null, { status: 307, headers: { location: `${basePath}${page}` } })
      const name = [asked, `${asked}.html`].find((one) => known.has(one)) ?? '/index.html'
      if (!known.has(name)) return new Response(null, { status: 404 })
      const asset = assetOf(name, basePath)
      const headers = new Headers(asset.headers)
      for (const { matches, lines } of rules)
        if (matches(asked)) for (const [key, value] of lines) headers.set(key, value)
      const isKnown = (request.headers.get('if-none-match') ?? '')
        .replaceAll('W/', '')
        .includes(asset.headers['etag'] ?? '"')
      if (isPackable(headers.get('content-type'))) headers.append('vary', 'accept-encoding')
      if (isKnown) return new Response(null, { status: 304, headers })
      if (request.method === 'HEAD') return new Response(null, { headers })
      return asset.packed !== undefined && takesGzip(request.headers.get('accept-encoding'))
        ? new Response(asset.packed, { headers: packedHeaders(headers) })
        : new Response(asset.bytes, { headers })
    },
  }
}

function pathOf(pathname: string): string {
  try {
    return decodeURIComponent(pathname)
  } catch {
    return pathname
  }
}

interface Rule {
  readonly matches: (pathname: string) => boolean
  readonly lines: readonly (readonly [name: string, value: string])[]
}

/** A path a line, with `*` for anything, and the headers below it indented. */
function readRules(file: string): readonly Rule[] {
  const rules: { matches: Rule['matches']; lines: [string, string][] }[] = []
  for (const line of existsSync(file) ? readFileSync(file, 'utf8').split('\n') : []) {
    const header = /^\s+([^:\s]+):\s*(.*)$/.exec(line)
    if (header?.[1] !== undefined) rules.at(-1)?.lines.push([header[1], header[2] ?? ''])
    else if (line.startsWith('/')) {
      const parts = line
        .trim()
        .split('*')
        .map((part) => part.replace(/[.+?^${}()|[\]\\]/g, '\\$&'))
      const pattern = new RegExp(`^${parts.join('.*')}$`)
      rules.push({ matches: (pathname) => pattern.test(pathname), lines: [] })
    }
  }
  return rules
}
