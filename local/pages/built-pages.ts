import { readFileSync, realpathSync } from 'node:fs'
import path from 'node:path'
import { failWith, succeed } from '#shared/kernel/result.ts'
import type { Pages } from './pages.ts'

const contentTypes: Readonly<Record<string, string>> = {
  '.html': 'text/html; charset=utf-8',
  '.js': 'text/javascript; charset=utf-8',
  '.css': 'text/css; charset=utf-8',
  '.svg': 'image/svg+xml',
  '.png': 'image/png',
  '.ico': 'image/x-icon',
  '.woff2': 'font/woff2',
  '.json': 'application/json; charset=utf-8',
}

/** Files of the page build, and nothing beside them: a link out of the folder is not followed. */
export function createBuiltPages(folder: string): Pages {
  return {
    read(name) {
      let root: string
      try {
        root = realpathSync(folder)
      } catch {
        return failWith('not-built')
      }
      const contentType = contentTypes[path.extname(name)]
      if (contentType === undefined) return failWith('absent')
      try {
        const file = realpathSync(path.join(root, decodeURIComponent(name)))
        if (!file.startsWith(root + path.sep)) return failWith('absent')
        return succeed({
          bytes: new Uint8Array(readFileSync(file)),
          contentType,
          isImmutable: name.startsWith('assets/'),
        })
      } catch {
        return failWith(name === 'index.html' ? 'not-built' : 'absent')
      }
    },
  }
}
