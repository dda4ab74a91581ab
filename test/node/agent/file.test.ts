/** Files of the project over the routes: what is shown, and everything that is not. */
import { execFileSync } from 'node:child_process'
import { once } from 'node:events'
import { mkdir, readdir, readlink, rm, symlink, truncate, writeFile } from 'node:fs/promises'
import { createServer } from 'node:net'
import path from 'node:path'
import fc from 'fast-check'
import { afterAll, beforeAll, describe, test } from 'vitest'
import {
  changedFilesMax,
  fileBytesMax,
  findDepthMax,
  findEntriesMax,
  findResultsMax,
} from '../../../local/agent/limits.ts'
import { startTestServer } from '../../support/agent-server.ts'
import { rawRequest, sendRaw } from '../../support/raw-http.ts'

const secret = 'SECRET outside of the project'

const server = await startTestServer()
const outside = path.join(server.project, '..', 'project-beside')
await mkdir(outside)
await writeFile(path.join(outside, 'note.txt'), secret)
await server.write('README.md', '# Read me')
await server.write('src/main.ts', 'export {}\n')
await server.write('src/deep/needle.ts', '')
await server.write('page.html', '<script>alert(1)</script>')

afterAll(() => server.close())

const read = (file: string, query = '') => server.send('GET', `/api/fs/read/${file}${query}`)
const list = (folder: string) => server.send('GET', `/api/fs/list?path=${encodeURIComponent(folder)}`)
const find = (query: string) => server.send('GET', `/api/fs/find?${query}`)
const sendTarget = (target: string) =>
  sendRaw(server.port, rawRequest(`GET ${target}`, [`Host: 127.0.0.1:${server.port}`]))

/** Handles that this process has on files of the test. */
async function openFiles(): Promise<string[]> {
  const names = await readdir('/proc/self/fd')
  const targets = await Promise.all(names.map((name) => readlink(`/proc/self/fd/${name}`).catch(() => '')))
  return targets.filter((target) => target.startsWith(server.project))
}

describe('reading a file', () => {
  test.for([
    ['README.md', 'text/markdown; charset=utf-8'],
    ['src/main.ts', 'text/plain; charset=utf-8'],
    ['page.html', 'text/html; charset=utf-8'],
  ] as const)('%s answers its bytes as %s', async ([file, type], { expect }) => {
    const answer = await read(file)
    expect(answer.status).toBe(200)
    expect(answer.headers.get('content-type')).toBe(type)
    expect(answer.text).not.toBe('')
    expect(answer.headers.get('content-length')).toBe(String(answer.text.length))
  })

  test('a name that says nothing is told by its bytes', async ({ expect }) => {
    await writeFile(path.join(server.project, 'blob'), Buffer.from([1, 0, 2]))
    await writeFile(path.join(server.project, 'LICENSE'), 'Take it')
    await writeFile(path.join(server.project, 'empty'), '')

    expect((await read('blob')).headers.get('content-type')).toBe('application/octet-stream')
    expect((await read('LICENSE')).headers.get('content-type')).toBe('text/plain; charset=utf-8')
    expect(await read('empty')).toMatchObject({ status: 200, text: '' })
  })

  test('a page of the project is nobody’s page: it runs nothing and sends nothing', async ({ expect }) => {
    const { headers } = await read('page.html')
    expect(headers.get('content-security-policy')).toBe("default-src 'none'; frame-ancestors 'none'; sandbox")
    expect(headers.get('x-content-type-options')).toBe('nosniff')
    expect(headers.get('cache-control')).toBe('no-store')
  })

  test.for(['with space.txt', 'per%cent.txt', 'a%2Fb.txt', 'ünï.txt', 'q?mark#+.txt', 'new\nline.txt', '[x](y).txt'])(
    'a file named %o is met by its escaped name',
    async (name, { expect }) => {
      await server.write(name, name)
      expect(await read(encodeURIComponent(name))).toMatchObject({ status: 200, text: name })
      await server.write(`sub/${name}`, name)
      expect(await read(`sub%2F${encodeURIComponent(name)}`)).toMatchObject({ status: 200, text: name })
    },
  )

  test('of exactly 32 MiB is served whole, and one byte more is refused', async ({ expect }) => {
    const big = path.join(server.project, 'big.bin')
    await writeFile(big, Buffer.alloc(fileBytesMax, 7))
    const response = await fetch(`${server.address}/api/fs/read/big.bin`)
    const bytes = Buffer.from(await response.arrayBuffer())
    expect(bytes.length).toBe(fileBytesMax)
    expect(bytes.equals(Buffer.alloc(fileBytesMax, 7))).toBe(true)

    await truncate(big, fileBytesMax + 1)
    expect(await read('big.bin')).toMatchObject({ status: 413, body: { error: { code: 'file_too_large' } } })
    // Without a byte on the disk, as far as it goes.
    await truncate(big, 2 ** 40)
    expect((await read('big.bin')).status).toBe(413)
    await truncate(big, 0)
  })

  test('that grows or shrinks meanwhile: as many bytes as were promised, or a broken connection', async ({
    expect,
  }) => {
    const file = path.join(server.project, 'moving.bin')
    const size = 16 * 1024 * 1024
    for (const newSize of [size * 2, 1024]) {
      await writeFile(file, Buffer.alloc(size, 1))
      const response = await fetch(`${server.address}/api/fs/read/moving.bin`)
      await truncate(file, newSize)
      const length = await response.arrayBuffer().then(
        (bytes) => bytes.byteLength,
        () => 'broken',
      )
      expect(length).toBe(newSize > size ? size : 'broken')
    }
    await expect.poll(openFiles).toEqual([])
  })

  test('holds no file open for a reader that asks for nothing or leaves', async ({ expect }) => {
    await writeFile(path.join(server.project, 'long.bin'), Buffer.alloc(16 * 1024 * 1024))
    const head = await fetch(`${server.address}/api/fs/read/long.bin`, { method: 'HEAD' })
    expect(head.status).toBe(200)
    expect(await head.text()).toBe('')
    for (let count = 0; count < 5; count += 1) {
      const leave = new AbortController()
      const response = await fetch(`${server.address}/api/fs/read/long.bin`, { signal: leave.signal })
      expect(response.status).toBe(200)
      leave.abort()
    }
    await expect.poll(openFiles).toEqual([])
  })

  test('readers that stand still keep nobody from files', async ({ expect }) => {
    await writeFile(path.join(server.project, 'long.bin'), Buffer.alloc(16 * 1024 * 1024))
    const still = await Promise.all(Array.from({ length: 8 }, () => fetch(`${server.address}/api/fs/read/long.bin`)))
    expect((await read('README.md')).text).toBe('# Read me')
    expect((await find('query=needle')).status).toBe(200)
    for (const response of still) await response.body?.cancel()
    await expect.poll(openFiles).toEqual([])
  })

  test.for(['missing.txt', 'README.md/x', 'src', 'src/', 'x'.repeat(300)])(
    '%o is no file',
    async (file, { expect }) => {
      expect(await read(file)).toMatchObject({ status: 404, body: { error: { code: 'not_found' } } })
    },
  )

  test('a pipe, a socket and a device are no files, and none of them is waited for', async ({ expect }) => {
    execFileSync('sh', ['-c', 'mkfifo "$1"', 'sh', path.join(server.project, 'pipe')])
    const socket = createServer().listen(path.join(server.project, 'socket'))
    await once(socket, 'listening')
    await symlink('/dev/zero', path.join(server.project, 'device'))

    expect((await read('pipe')).status).toBe(404)
    expect((await read('socket')).status).toBe(404)
    expect((await read('device')).status).toBe(403)
    socket.close()
  })
})

describe('what lies outside of the project', () => {
  beforeAll(async () => {
    await symlink(outside, path.join(server.project, 'way-out'))
    await symlink(path.join(outside, 'note.txt'), path.join(server.project, 'note-out'))
    await symlink(path.join(outside, 'missing.txt'), path.join(server.project, 'nowhere'))
    await symlink('src', path.join(server.project, 'way-in'))
    await mkdir(path.join(server.project, 'loop'))
    await symlink('../loop', path.join(server.project, 'loop', 'again'))
  })

  test.for([
    '/api/fs/read/../../etc/passwd',
    '/api/fs/read/src/../README.md',
    '/api/fs/read/%2e%2e/%2E%2E/etc/passwd',
    '/api/fs/read/.%2e/x',
    '/api/fs/read/..%2f..%2fetc%2fpasswd',
    '/api/fs/read/src%2f..%2f..%2fx',
    '/api/fs/read/..%5c..%5cetc%5cpasswd',
    '/api/fs/read//etc/passwd',
    '/api/fs/read/%2fetc%2fpasswd',
    '/api/fs/read/note-out',
    '/api/fs/read/way-out/note.txt',
    '/api/fs/read/way-out/missing.txt',
    '/api/fs/read/nowhere',
    '/api/fs/read/../project-beside/note.txt',
    '/api/fs/list?path=..',
    '/api/fs/list?path=/',
    '/api/fs/list?path=../project-beside',
    '/api/fs/list?path=way-out',
    '/api/fs/list?path=src/../..',
    '/api/fs/list?path=src%5c..%5c..',
    '/api/fs/list?directory=/',
    '/api/fs/list?location%5Bdirectory%5D=/etc',
    '/api/fs/find?query=note&directory=/',
    '/api/fs/read/etc/passwd?directory=/',
    '/api/../api/fs/list',
  ])('%s is forbidden', async (target, { expect }) => {
    const answer = await sendTarget(target)
    expect(answer.status, answer.text).toBe(403)
    expect(answer.text).toContain('"code":"forbidden"')
  })

  test.for([
    '/api/fs/read/a%00b',
    '/api/fs/read/%zz',
    '/api/fs/read/%ff',
    '/api/fs/list?path=a%00b',
    `/api/fs/read/${'x'.repeat(4097)}`,
  ])('%s is malformed', async (target, { expect }) => {
    const answer = await sendTarget(target)
    expect(answer.status, answer.text).toBe(400)
    expect(answer.text).toContain('"code":"invalid_request"')
  })

  test('a directory of another name is refused also when a header says it', async ({ expect }) => {
    const answer = await server.send('GET', '/api/fs/list', undefined, { 'x-client-directory': outside })
    expect(answer.status).toBe(403)
    expect((await server.send('GET', `/api/fs/list?directory=${server.project}/src`)).body.data).toHaveLength(2)
  })

  test('links within the project are followed, and the answer names what they lead to', async ({ expect }) => {
    expect((await read('way-in/main.ts')).text).toBe('export {}\n')
    expect((await list('way-in')).body.data).toEqual([
      { path: 'src/deep/', type: 'directory' },
      { path: 'src/main.ts', type: 'file' },
    ])
    expect((await list('loop/again/again')).body.data).toEqual([])
  })

  test('no list and no search shows a link or what it leads to', async ({ expect }) => {
    const listed = (await list('.')).body.data.map((entry: { path: string }) => entry.path)
    expect(listed).toContain('README.md')
    for (const name of ['way-out', 'note-out', 'nowhere', 'way-in', 'device', 'pipe']) {
      expect(listed.filter((shown: string) => shown.startsWith(name))).toEqual([])
    }
    expect((await find('query=note.txt')).body).toMatchObject({ data: [], truncated: false })
  })

  test('the data of the server is shown to nobody, wherever it lies', async ({ expect }) => {
    const inside = await startTestServer()
    const dataDir = path.join(inside.project, '.data')
    await inside.restart({ dataDir })
    await writeFile(path.join(dataDir, 'credentials.json'), '{"openai":{"type":"api","key":"canary"}}')

    expect((await inside.send('GET', '/api/fs/read/.data/credentials.json')).status).toBe(403)
    expect((await inside.send('GET', '/api/fs/list?path=.data')).status).toBe(403)
    expect((await inside.send('GET', '/api/fs/find?query=credentials')).body.data).toEqual([])
    await inside.close()
  })

  test('nor is what the program keeps that started the server', async ({ expect }) => {
    const inside = await startTestServer()
    const withheldFolder = path.join(inside.project, '.data')
    await mkdir(withheldFolder)
    await writeFile(path.join(withheldFolder, 'secrets.json'), '{"MASTER_KEY":"canary"}')
    await inside.restart({ withheldFolder })

    expect((await inside.send('GET', '/api/fs/read/.data/secrets.json')).status).toBe(403)
    expect((await inside.send('GET', '/api/fs/list?path=.data')).status).toBe(403)
    expect((await inside.send('GET', '/api/fs/find?query=secrets')).body.data).toEqual([])
    await inside.close()
  })

  test('whatever the path is, no byte of it is answered and nothing is the server’s own mistake', async ({
    expect,
  }) => {
    const part = fc.oneof(
      fc.constantFrom('..', '.', '%2e%2e', '..%2f', '%2f', '//', '..%5c', 'way-out', 'note-out', 'src', 'note.txt'),
      fc.constantFrom('project-beside', 'loop/again', '%00', '%', '%c0%ae', '%252e%252e', '~', 'file:', 'nowhere'),
      fc.string({ maxLength: 6 }).map((text) => encodeURIComponent(text.toWellFormed())),
    )
    const statuses = new Set<number>()
    await fc.assert(
      fc.asyncProperty(fc.array(part, { minLength: 1, maxLength: 6 }), fc.boolean(), async (parts, isRead) => {
        const joined = parts.join('/')
        const answer = await sendTarget(isRead ? `/api/fs/read/${joined}` : `/api/fs/list?path=${joined}`)
        statuses.add(answer.status)
        expect([200, 400, 403, 404], `${joined} -> ${answer.text}`).toContain(answer.status)
        expect(answer.text, joined).not.toContain(secret)
        if (!isRead) expect(answer.text, joined).not.toContain('note.txt"')
      }),
      { numRuns: 600, examples: [[['src', 'main.ts'], true]] },
    )
    expect([...statuses].sort()).toEqual([200, 400, 403, 404])
  })
})

describe('listing a directory', () => {
  test('answers its direct children, folders first, with the location', async ({ expect }) => {
    const answer = await list('src')
    expect(answer.body).toEqual({
      location: { directory: server.project, project: { id: 'global', directory: server.project } },
      data: [
        { path: 'src/deep/', type: 'directory' },
        { path: 'src/main.ts', type: 'file' },
      ],
      truncated: false,
    })
    expect((await list('src/')).body).toEqual(answer.body)
  })

  test('without a path it is the project itself', async ({ expect }) => {
    const whole = await server.send('GET', '/api/fs/list')
    expect(whole.body.data).toContainEqual({ path: 'src/', type: 'directory' })
    expect((await list('')).body).toEqual(whole.body)
  })

  test.for(['missing', 'README.md'])('%s is no directory', async (folder, { expect }) => {
    expect(await list(folder)).toMatchObject({ status: 404, body: { error: { code: 'not_found' } } })
  })
})

describe('finding entries', () => {
  test('answers files and folders, the tightest match first, and says that it saw everything', async ({ expect }) => {
    expect((await find('query=needle')).body).toMatchObject({
      location: { directory: server.project },
      data: [{ path: 'src/deep/needle.ts', type: 'file' }],
      truncated: false,
    })
    const paths = (await find('query=deep')).body.data.map((entry: { path: string }) => entry.path)
    expect(paths).toEqual(['src/deep/', 'src/deep/needle.ts'])
    expect((await find('query=deep&type=directory')).body.data).toEqual([{ path: 'src/deep/', type: 'directory' }])
    expect((await find('query=e&limit=1')).body.data).toHaveLength(1)
  })

  test('without a query is the tagged refusal', async ({ expect }) => {
    const answer = await find('limit=1')
    expect(answer.status).toBe(400)
    expect(answer.body).toEqual({
      _tag: 'InvalidRequestError',
      message: 'Missing key\n  at ["query"]',
      kind: 'Query',
    })
  })

  test.for([
    'query=a&limit=0',
    'query=a&limit=-1',
    'query=a&limit=1.5',
    'query=a&limit=',
    `query=a&limit=${findResultsMax + 1}`,
    'query=a&type=link',
    'query=a&query=b',
    `query=${'a'.repeat(257)}`,
  ])('with %s is refused', async (query, { expect }) => {
    expect(await find(query)).toMatchObject({ status: 400, body: { error: { code: 'invalid_request' } } })
  })

  test('leaves out what the ignore rules name, and the folder of git', async ({ expect }) => {
    const other = await startTestServer()
    execFileSync('git', ['init', '-q'], { cwd: other.project })
    await other.write('.gitignore', 'built/\n*.log\n')
    await other.write('built/target.js', '')
    await other.write('target.log', '')
    await other.write('.hidden/target.ts', '')
    const found = await other.send('GET', '/api/fs/find?query=target')
    expect(found.body.data).toEqual([{ path: '.hidden/target.ts', type: 'file' }])
    expect((await other.send('GET', '/api/fs/find?query=.git/config')).body.data).toEqual([])
    await other.close()
  })

  test('goes sixteen folders deep and says when there is more', async ({ expect }) => {
    const other = await startTestServer()
    const folders = (count: number) => Array.from({ length: count }, (_unused, at) => `d${at}`).join('/')
    await other.write(`${folders(findDepthMax - 1)}/bottom`, '')
    const at = await other.send('GET', '/api/fs/find?query=bottom')
    expect(at.body).toMatchObject({ data: [{ type: 'file' }], truncated: false })

    await other.write(`${folders(findDepthMax)}/beneath`, '')
    const past = await other.send('GET', '/api/fs/find?query=beneath')
    expect(past.body).toMatchObject({ data: [], truncated: true })
    await other.close()
  })

  test('looks at twenty thousand entries and says when there are more', { tags: 'slow' }, async ({ expect }) => {
    const other = await startTestServer()
    const folder = path.join(other.project, 'many')
    await mkdir(folder)
    const names = Array.from({ length: findEntriesMax - 2 }, (_unused, index) => `f${index}`)
    while (names.length > 0)
      await Promise.all(names.splice(0, 500).map((name) => writeFile(path.join(folder, name), '')))
    await other.write('many/zz-last', '')
    const at = await other.send('GET', '/api/fs/find?query=zz-last')
    expect(at.body).toMatchObject({ data: [{ path: 'many/zz-last' }], truncated: false })
    expect((await other.send('GET', '/api/fs/list?path=many')).body).toMatchObject({
      data: { length: findEntriesMax - 1 },
      truncated: false,
    })

    await other.write('many/zz-later', '')
    await other.write('many/zz-latest', '')
    const past = await other.send('GET', '/api/fs/find?query=zz-latest')
    expect(past.body).toMatchObject({ data: [], truncated: true })
    const listed = await other.send('GET', '/api/fs/list?path=many')
    expect(listed.body).toMatchObject({ data: { length: findEntriesMax }, truncated: true })
    await other.close()
  })
})

describe('what differs from the last commit', () => {
  const changed = async (query = '') => (await server.send('GET', `/api/fs/changed${query}`)).body
  const git = (...args: string[]) =>
    execFileSync('git', ['-c', 'user.name=a', '-c', 'user.email=a@example.org', ...args], { cwd: server.project })

  test('is null outside of a repository', async ({ expect }) => {
    expect((await changed()).data).toBeNull()
  })

  test('is told with its lines, and of a folder alone what lies in it', async ({ expect }) => {
    await server.write('tracked/kept.txt', 'a\nb\n')
    await server.write('tracked/gone.txt', 'a\n')
    await server.write('src/main.ts', 'export {}\n')
    git('init', '--quiet')
    git('add', 'tracked', 'src/main.ts')
    git('commit', '--quiet', '-m', 'First')
    expect((await changed()).data.every(({ status }: { status: string }) => status === 'added')).toBe(true)
    await server.write('tracked/kept.txt', 'a\nB\nc\n')
    await server.write('tracked/new folder/\tx', 'x')
    await rm(path.join(server.project, 'tracked/gone.txt'))
    const inFolder = [
      { path: 'gone.txt', status: 'deleted', additions: 0, deletions: 1 },
      { path: 'kept.txt', status: 'modified', additions: 2, deletions: 1 },
      { path: 'new folder/', status: 'added' },
    ]
    const folder = await changed(`?directory=${encodeURIComponent(path.join(server.project, 'tracked'))}`)
    expect([folder.data, folder.truncated]).toEqual([inFolder, false])
    const whole = await changed()
    expect(whole.branch).toBe(git('symbolic-ref', '--short', 'HEAD').toString().trim())
    expect(whole.data).toEqual(expect.arrayContaining(inFolder.map((one) => ({ ...one, path: `tracked/${one.path}` }))))
  })

  test('is told of one file with its patch, whatever its name means to git', async ({ expect }) => {
    const one = async (name: string) => (await changed(`?path=${encodeURIComponent(name)}`)).data
    expect(await one('tracked/kept.txt')).toEqual([
      {
        path: 'tracked/kept.txt',
        status: 'modified',
        additions: 2,
        deletions: 1,
        patch: expect.stringMatching(/\n@@ -1,2 \+1,3 @@\n a\n-b\n\+B\n\+c\n$/),
      },
    ])
    expect((await one('tracked/gone.txt'))[0].patch).toContain('\n-a\n')
    expect(await one('src/main.ts')).toEqual([])
    expect(await one('*')).toEqual([])
    expect((await server.send('GET', '/api/fs/changed?path=../x')).status).toBe(403)
    git('checkout', '--quiet', '--detach')
    expect((await changed()).branch).toBeUndefined()
  })

  test('lists so many files and says when there are more', { tags: 'slow', timeout: 60_000 }, async ({ expect }) => {
    // Slow tests run without those before them, too.
    git('init', '--quiet')
    const before = (await changed()).data.length
    for (let at = before; at < changedFilesMax; at += 1) await server.write(`z${at}`, '')
    const full = await changed()
    expect([full.data.length, full.truncated]).toEqual([changedFilesMax, false])
    await server.write('zz', '')
    const over = await changed()
    expect([over.data.length, over.truncated]).toEqual([changedFilesMax, true])
  })

  test('a repository of somebody’s cannot have a program run by being looked at', async ({ expect }) => {
    await writeFile(
      path.join(server.project, '.git', 'config'),
      '[core]\n\tfsmonitor = "touch ran;"\n[filter "f"]\n\tclean = touch ran\n[diff "f"]\n\ttextconv = touch ran\n',
    )
    await server.write('.gitattributes', '* filter=f diff=f\n')
    expect((await changed()).data.length).toBeGreaterThan(0)
    expect(await readdir(server.project)).not.toContain('ran')
  })

  test('elsewhere than in the project it is refused', async ({ expect }) => {
    expect((await server.send('GET', `/api/fs/changed?directory=${encodeURIComponent(outside)}`)).status).toBe(403)
  })
})
