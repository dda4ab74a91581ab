import { execFileSync } from 'node:child_process'
import { symlinkSync } from 'node:fs'
import { chmod, cp, mkdir, readFile, writeFile } from 'node:fs/promises'
import path from 'node:path'
import { afterEach, beforeEach, describe, test } from 'vitest'
import { formattersOf } from '../../../local/agent/core/formatter.ts'
import { readDiagnostics, sayDiagnostics } from '../../../local/agent/core/language-server.ts'
import { diagnosticsShownMax } from '../../../local/agent/limits.ts'
import { runTools, startTestServer, type TestServer } from '../../support/agent-server.ts'
import { requireReal } from '../../support/real-parts.ts'

const root = path.resolve(import.meta.dirname, '../../..')
const sandbox = requireReal('bwrap')

let server: TestServer
beforeEach(async () => {
  server = await startTestServer()
  await server.write('.gitignore', 'node_modules\n')
})
afterEach(() => server.close())

const write = (file: string, content: string) => ({
  calls: [{ id: 'w', name: 'write', input: { path: file, content } }],
})
const read = (file: string) => ({ calls: [{ id: 'r', name: 'read', input: { path: file } }] })
const edit = (file: string, oldString: string, newString: string) => ({
  calls: [{ id: 'e', name: 'edit', input: { path: file, oldString, newString } }],
})
const done = { text: ['Done.'] }
const inProject = (file: string) => readFile(path.join(server.project, file), 'utf8')

/** A program of the project, from its lines of shell. */
async function program(name: string, ...lines: string[]): Promise<void> {
  const file = path.join(server.project, 'node_modules/.bin', name)
  await mkdir(path.dirname(file), { recursive: true })
  await writeFile(file, `#!/bin/bash\n${lines.join('\n')}\n`)
  await chmod(file, 0o755)
}

async function languageServer(manner: string, first = ''): Promise<void> {
  await server.write('server.mjs', await readFile(path.join(root, 'test/support/scripted-language-server.mjs'), 'utf8'))
  const node = path.join(server.project, 'node_modules/node')
  await cp(process.execPath, node)
  await program('pyright-langserver', first, `exec ${node} ${path.join(server.project, 'server.mjs')} ${manner}`)
}

describe.skipIf(sandbox.isMissing)(`after an edit ${sandbox.skipNote}`, { timeout: 180_000 }, () => {
  test('a real server of TypeScript says what does not fit, and that it does once it is mended', {
    tags: 'slow',
  }, async ({ expect }) => {
    await server.restart({ languageDiagnoseMsMax: 120_000 })
    for (const name of ['typescript', 'typescript-language-server']) {
      await cp(path.join(root, 'node_modules', name), path.join(server.project, 'node_modules', name), {
        recursive: true,
      })
    }
    const node = path.join(server.project, 'node_modules/node')
    await cp(process.execPath, node)
    const cli = path.join(server.project, 'node_modules/typescript-language-server/lib/cli.mjs')
    await program('typescript-language-server', `exec ${node} ${cli} "$@"`)
    await server.write('tsconfig.json', '{"compilerOptions":{"strict":true,"target":"es2022","module":"esnext"}}')
    await server.write('sum.ts', 'export function sum(a: number, b: number): number {\n  return a + b\n}\n')
    const wrong = "import { sum } from './sum'\n\nexport const three = sum(1, 'two')\n"
    const [first, second] = await runTools(server, write('use.ts', wrong), edit('use.ts', "'two'", '2'), done)
    expect(first).toContain('use.ts:3:29 error 2345: Argument of type')
    expect(first).toContain('"diagnostics":[{"path":"use.ts","line":3,"column":29,"severity":"error"')
    expect(second).toContain('Changed use.ts')
    expect(second).not.toContain('language server')
  })

  test.for(['push', 'pull'])(
    'errors and warnings that a server tells by %s are shown, of this text alone',
    async (manner, { expect }) => {
      await languageServer(manner)
      const [first, second] = await runTools(
        server,
        write('a.py', 'poor\nfine bad\nodd\n'),
        edit('a.py', 'fine bad', 'fine'),
        done,
      )
      expect(first).toContain('a.py:2:6 error 7: bad word here\\na.py:1:1 warning 7: poor word here')
      expect(first).not.toContain('odd word')
      expect(second).toContain('a.py:1:1 warning 7: poor word here')
      expect(second).not.toContain('error 7')
    },
  )

  test('patches are looked at as well, each of their files', async ({ expect }) => {
    await languageServer('pull')
    const patchText = '*** Begin Patch\n*** Add File: a.py\n+bad\n*** Add File: b.py\n+fine\n+bad\n*** End Patch'
    const [patched] = await runTools(server, { calls: [{ id: 'p', name: 'apply_patch', input: { patchText } }] }, done)
    expect(patched).toContain('a.py:1:1 error 7: bad word here\\nb.py:2:1 error 7: bad word here')
  })

  test.for(['dies', 'flood'])(
    'a server that %s costs the edit nothing, and is left alone',
    async (manner, { expect }) => {
      await languageServer(manner, `echo begun >> "${path.join('$TMPDIR', 'begun')}"`)
      const outcomes = await runTools(server, write('a.py', 'bad\n'), edit('a.py', 'bad', 'good'), done)
      expect(outcomes.map((text) => text.includes('completed'))).toEqual([true, true])
      expect(outcomes.join()).not.toContain('language server')
      expect(await inProject('a.py')).toBe('good\n')
    },
  )

  test('a server changes nothing in the project, and reaches nobody', async ({ expect }) => {
    await languageServer('pull', 'echo spoiled > spoiled; mkdir -p .github/workflows')
    const [first] = await runTools(server, write('a.py', 'bad\n'), done)
    expect(first).toContain('error 7')
    await expect(inProject('spoiled')).rejects.toThrow('ENOENT')
    await expect(inProject('.github')).rejects.toThrow('ENOENT')
  })

  test('the owner may turn servers and formatters off', async ({ expect }) => {
    await server.close()
    server = await startTestServer({ config: { lsp: false, formatter: false } })
    await languageServer('pull')
    await program('prettier', 'tr a-z A-Z')
    await server.write('.prettierrc', '{}')
    const [first, second] = await runTools(server, write('a.py', 'bad\n'), write('a.md', 'small\n'), done)
    expect(`${first}${second}`).not.toContain('language server')
    expect(await inProject('a.md')).toBe('small\n')
  })

  test.for<[string, (file: string) => void]>([
    ['a pipe', (file) => void execFileSync('sh', ['-c', 'mkfifo "$0"', file])],
    ['a link to what has no end', (file) => symlinkSync('/dev/zero', file)],
  ])(
    'where settings of the project would be lies %s: an edit goes on without a formatter',
    async ([, put], { expect }) => {
      await program('prettier', 'tr a-z A-Z')
      put(path.join(server.project, 'package.json'))
      const [first] = await runTools(server, write('a.ts', 'small\n'), done)
      expect(first).toContain('completed')
      expect(await inProject('a.ts')).toBe('small\n')
    },
  )

  test('the formatter of the project gives a new file its form, which the owner is shown before', async ({
    expect,
  }) => {
    await server.close()
    server = await startTestServer({ config: { permission: { edit: 'ask' } } })
    await program('prettier', '[ "$1" = --stdin-filepath ] && tr a-z A-Z')
    await server.write('.prettierrc', '{}')
    server.model.script(write('a.md', 'small\n'), done)
    const session = await server.createSession()
    await server.prompt(session, 'Go')
    await server
      .events('/api/event', (events) => events.some(({ data }) => data.type === 'permission.v2.asked'))
      .catch(() => [])
    const [asked] = (await server.send('GET', `/api/session/${session}/permission`)).body.data
    expect(asked.metadata.diff).toContain('+SMALL')
    await server.send('POST', `/api/session/${session}/permission/${asked.id}/reply`, { reply: 'once' })
    await server.wait(session)
    expect(await inProject('a.md')).toBe('SMALL\n')
    expect(JSON.stringify(await server.messages(session))).toContain('formatted by prettier')
  })

  test('a file that was not in its form keeps its own, one that was keeps it', async ({ expect }) => {
    await program('prettier', 'tr a-z A-Z')
    await server.write('package.json', '{"prettier":{"semi":false}}')
    await server.write('own.md', 'Mixed\nlines\n')
    await server.write('formed.md', 'UPPER\nLINES\n')
    await runTools(
      server,
      read('own.md'),
      edit('own.md', 'lines', 'words'),
      read('formed.md'),
      edit('formed.md', 'LINES', 'words'),
      done,
    )
    expect(await inProject('own.md')).toBe('Mixed\nwords\n')
    expect(await inProject('formed.md')).toBe('UPPER\nWORDS\n')
  })

  test('a formatter that fails, or is not named by the project, changes nothing', async ({ expect }) => {
    await program('prettier', 'tr a-z A-Z', 'exit 2')
    await runTools(server, write('a.md', 'plain\n'), done)
    expect(await inProject('a.md')).toBe('plain\n')
    await server.write('.prettierrc', '{}')
    await runTools(server, write('b.md', 'plain\n'), done)
    expect(await inProject('b.md')).toBe('plain\n')
  })

  test('Biome itself is asked where the project uses it', async ({ expect }) => {
    const binary = path.join(root, 'node_modules/@biomejs', `cli-${process.platform}-${process.arch}`, 'biome')
    await mkdir(path.join(server.project, 'node_modules/.bin'), { recursive: true })
    await cp(binary, path.join(server.project, 'node_modules/.bin/biome'))
    await server.write(
      'biome.json',
      '{"formatter":{"indentStyle":"space"},"javascript":{"formatter":{"semicolons":"asNeeded"}}}',
    )
    const [first] = await runTools(server, write('a.js', 'const  a = {b:1};\n'), done)
    expect(await inProject('a.js')).toBe('const a = { b: 1 }\n')
    expect(first).toContain('formatted by biome')
  })
})

describe('what is said of diagnostics', () => {
  const at = (line: number, severity: number) => ({
    range: { start: { line, character: 0 } },
    severity,
    message: `m${line}`,
  })

  test('are errors first, as many as are shown, and how many more', ({ expect }) => {
    const many = Array.from({ length: diagnosticsShownMax }, (_, index) => at(index, index === 5 ? 1 : 2))
    const said = sayDiagnostics('a.py', readDiagnostics(many), diagnosticsShownMax).split('\n')
    expect(said[0]).toBe('a.py:6:1 error: m5')
    expect(said).toHaveLength(diagnosticsShownMax)
    const more = sayDiagnostics('a.py', readDiagnostics([...many, at(99, 2)]), diagnosticsShownMax).split('\n')
    expect(more).toHaveLength(diagnosticsShownMax + 1)
    expect(more.at(-1)).toBe('(1 more)')
  })

  test('leave out what has not their shape', ({ expect }) => {
    for (const items of [
      undefined,
      null,
      {},
      'x',
      [null],
      [1],
      [{}],
      [{ message: 'a' }],
      [{ range: {}, message: 'a' }],
    ]) {
      expect(readDiagnostics(items)).toEqual([])
    }
    expect(readDiagnostics([{ ...at(0, 1), severity: undefined }])).toMatchObject([{ severity: 'error' }])
  })
})

test('which formatter is asked goes by the ending of a file', ({ expect }) => {
  for (const [file, programs] of [
    ['a.ts', ['biome', 'prettier']],
    ['a.md', ['prettier']],
    ['a.go', ['gofmt']],
    ['a.rs', ['rustfmt']],
    ['a.py', ['black']],
    ['a.cpp', ['clang-format']],
    ['a.txt', []],
  ] as const) {
    expect(formattersOf(file).map(({ program }) => program)).toEqual(programs)
  }
})
