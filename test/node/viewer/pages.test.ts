/** The files of the viewer's page: which are served, with which headers, and nothing beside them. */
import { mkdirSync, mkdtempSync, rmSync, symlinkSync, writeFileSync } from 'node:fs'
import os from 'node:os'
import path from 'node:path'
import { describe, test } from 'vitest'
import { createBuiltPages } from '../../../local/pages/built-pages.ts'
import { pageResponse } from '../../../local/viewer/http/routes/page-routes.ts'

function builtPages(onTestFinished: (act: () => void) => void): string {
  const parent = mkdtempSync(path.join(os.tmpdir(), 'wharf-pages-'))
  onTestFinished(() => rmSync(parent, { recursive: true, force: true }))
  const folder = path.join(parent, 'viewer')
  mkdirSync(path.join(folder, 'assets'), { recursive: true })
  writeFileSync(path.join(folder, 'index.html'), '<!doctype html>')
  writeFileSync(path.join(folder, 'theme.js'), '//')
  writeFileSync(path.join(folder, 'assets/main-AbC1.js'), '//')
  writeFileSync(path.join(folder, 'assets/main-AbC1.css'), 'p{}')
  writeFileSync(path.join(folder, 'assets/icons-X.svg'), '<svg/>')
  writeFileSync(path.join(folder, 'assets/notes.txt'), 'not a page file')
  writeFileSync(path.join(parent, 'secret.json'), '{}')
  symlinkSync(path.join(parent, 'secret.json'), path.join(folder, 'assets/out.json'))
  return folder
}

describe('the page', () => {
  test.for([
    ['/', 'text/html; charset=utf-8', 'no-store'],
    ['/index.html', 'text/html; charset=utf-8', 'no-store'],
    ['/anything/without/an/extension', 'text/html; charset=utf-8', 'no-store'],
    ['/theme.js', 'text/javascript; charset=utf-8', 'no-store'],
    ['/assets/main-AbC1.js', 'text/javascript; charset=utf-8', 'public, max-age=31536000, immutable'],
    ['/assets/main-AbC1.css', 'text/css; charset=utf-8', 'public, max-age=31536000, immutable'],
    ['/assets/icons-X.svg', 'image/svg+xml', 'public, max-age=31536000, immutable'],
  ] as const)('%s is %s, kept as %s', async ([address, type, cache], { expect, onTestFinished }) => {
    const answer = pageResponse(createBuiltPages(builtPages(onTestFinished)), address)
    expect(answer.status).toBe(200)
    expect(answer.headers.get('content-type')).toBe(type)
    expect(answer.headers.get('cache-control')).toBe(cache)
    expect(Number(answer.headers.get('content-length'))).toBe((await answer.arrayBuffer()).byteLength)
  })

  test.for([
    '/missing.js',
    '/assets/missing-1.css',
    '/assets/notes.txt',
    '/assets/out.json',
    '/assets/../../secret.json',
    '/assets/%2e%2e/%2e%2e/secret.json',
    '/assets/%zz.js',
    '/assets.js/main-AbC1.js',
  ])('%s is no file of it', async (address, { expect, onTestFinished }) => {
    const answer = pageResponse(createBuiltPages(builtPages(onTestFinished)), address)
    expect(answer.status).toBe(404)
    expect(answer.headers.get('content-type')).toBe('text/plain; charset=utf-8')
    expect(await answer.text()).not.toContain('{}')
  })

  test('that was not built says so and leaves the API to those who ask for it', async ({ expect }) => {
    const answer = pageResponse(createBuiltPages('/no/such/folder'), '/')
    expect(answer.status).toBe(503)
    expect(await answer.text()).toContain('/api')
    expect(pageResponse(createBuiltPages('/no/such/folder'), '/theme.js').status).toBe(404)
  })
})
