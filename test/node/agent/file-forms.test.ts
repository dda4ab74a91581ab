/** Files that are written otherwise than models write: what a change does not name stays as it was, byte for byte. */
import { chmod, readFile, stat, writeFile } from 'node:fs/promises'
import path from 'node:path'
import { afterEach, beforeEach, describe, test } from 'vitest'
import { receiptSessionsMax, receiptsPerSessionMax } from '../../../local/agent/limits.ts'
import { ReadReceipts } from '../../../local/agent/runtime/tools/tool-files.ts'
import { runTools, startTestServer, type TestServer } from '../../support/agent-server.ts'

let server: TestServer

beforeEach(async () => {
  server = await startTestServer()
})

afterEach(() => server.close())

/** Reads the file, then makes one call; answers what became of that one. */
async function change(file: string, tool: string, input: Record<string, unknown>): Promise<string> {
  const [, changed = ''] = await runTools(
    server,
    { calls: [{ id: 'r', name: 'read', input: { path: file } }] },
    { calls: [{ id: 'c', name: tool, input }] },
    { text: ['done'] },
  )
  return changed
}

const patch = (file: string, ...lines: string[]) => ({
  patchText: ['*** Begin Patch', `*** Update File: ${file}`, ...lines, '*** End Patch'].join('\n'),
})

const content = (file: string) => readFile(path.join(server.project, file))

describe('lines that end with two characters, and a mark at the beginning', () => {
  const before = '\uFEFFfirst\r\nsecond\r\nthird\r\n'
  const after = '\uFEFFfirst\r\n2nd\r\nthird\r\n'

  test.for([
    ['edit', { path: 'a.txt', oldString: 'first\nsecond\n', newString: 'first\n2nd\n' }],
    ['edit', { path: 'a.txt', oldString: 'first\r\nsecond', newString: 'first\r\n2nd' }],
    ['apply_patch', patch('a.txt', '@@', ' first', '-second', '+2nd')],
    ['write', { path: 'a.txt', content: 'first\n2nd\nthird\n' }],
  ] as const)('stay after %s', async ([tool, input], { expect }) => {
    await server.write('a.txt', before)

    expect(await change('a.txt', tool, input)).toMatch(/^completed/)

    expect((await content('a.txt')).toString('utf8')).toBe(after)
  })

  test('are not shown to the model', async ({ expect }) => {
    await server.write('a.txt', before)

    const [shown] = await runTools(
      server,
      { calls: [{ id: 'r', name: 'read', input: { path: 'a.txt' } }] },
      { text: ['x'] },
    )

    expect(shown).toContain(JSON.stringify('1\tfirst\n2\tsecond\n3\tthird').slice(1, -1))
    expect(shown).not.toMatch(/\\r|4\\t/)
  })

  test('of a file that mixes them are left as they are', async ({ expect }) => {
    await server.write('a.txt', 'one\r\ntwo\nthree\r\n')

    expect(await change('a.txt', 'edit', { path: 'a.txt', oldString: 'two', newString: '2' })).toMatch(/^completed/)

    expect((await content('a.txt')).toString('utf8')).toBe('one\r\n2\nthree\r\n')
  })
})

describe('a file that is not text in UTF-8', () => {
  const latin = Buffer.from('gr\xfcn\nblau\n', 'latin1')
  const binary = Buffer.from([1, 0, 2, 98, 108, 97, 117, 255])

  test.for([
    ['edit', { path: 'a.txt', oldString: 'blau', newString: 'rot' }],
    ['apply_patch', patch('a.txt', '@@', '-blau', '+rot')],
  ] as const)('is not changed in part by %s', async ([tool, input], { expect }) => {
    for (const bytes of [latin, binary]) {
      await writeFile(path.join(server.project, 'a.txt'), bytes)
      expect(await change('a.txt', tool, input)).toMatch(/^error .*not text in UTF-8/)
      expect(await content('a.txt')).toEqual(bytes)
    }
  })

  test('is shown with a word about it, and may be written anew', async ({ expect }) => {
    await writeFile(path.join(server.project, 'a.txt'), latin)
    const [shown] = await runTools(
      server,
      { calls: [{ id: 'r', name: 'read', input: { path: 'a.txt' } }] },
      { text: ['x'] },
    )
    expect(shown).toMatch(/^completed .*blau.*not text in UTF-8/)

    expect(await change('a.txt', 'write', { path: 'a.txt', content: 'grün\n' })).toMatch(/^completed/)

    expect((await content('a.txt')).toString('utf8')).toBe('grün\n')
  })
})

test.for(['edit', 'apply_patch', 'write'] as const)(
  '%s leaves every right of a file as it was',
  async (tool, { expect }) => {
    await server.write('run.sh', 'one\n')
    await chmod(path.join(server.project, 'run.sh'), 0o777)
    const inputs = {
      edit: { path: 'run.sh', oldString: 'one', newString: 'two' },
      apply_patch: patch('run.sh', '@@', '-one', '+two'),
      write: { path: 'run.sh', content: 'two\n' },
    }

    expect(await change('run.sh', tool, inputs[tool])).toMatch(/^completed/)

    expect((await stat(path.join(server.project, 'run.sh'))).mode & 0o777).toBe(0o777)
  },
)

describe('a patch', () => {
  test('gives a file another name, its rights with it', async ({ expect }) => {
    await server.write('old.sh', 'one\r\ntwo\r\n')
    await chmod(path.join(server.project, 'old.sh'), 0o755)

    const moved = await change('old.sh', 'apply_patch', patch('old.sh', '*** Move to: in/new.sh', '@@', '-two', '+2'))

    expect(moved).toMatch(/^completed .*Created in\/new\.sh.*Deleted old\.sh/)
    expect((await content('in/new.sh')).toString('utf8')).toBe('one\r\n2\r\n')
    expect((await stat(path.join(server.project, 'in/new.sh'))).mode & 0o777).toBe(0o755)
    await expect(content('old.sh')).rejects.toThrow('ENOENT')
  })

  test.for([
    ['onto a file that is there', patch('a.txt', '*** Move to: b.txt'), /exists already/],
    [
      'of one file under two spellings',
      patch('a.txt', '@@', '-a', '+1', '*** Update File: ./a.txt', '@@', '-a', '+2'),
      /in the patch twice/,
    ],
  ] as const)('%s changes nothing', async ([, input, problem], { expect }) => {
    await server.write('a.txt', 'a\n')
    await server.write('b.txt', 'b\n')

    expect(await change('a.txt', 'apply_patch', input)).toMatch(problem)

    expect((await content('a.txt')).toString()).toBe('a\n')
    expect((await content('b.txt')).toString()).toBe('b\n')
  })
})

test('receipts of reading are kept for so many files and sessions, and the oldest are forgotten', async ({
  expect,
}) => {
  const facts = await stat(server.project)
  const receipts = new ReadReceipts()
  const refused = (session: string, full: string) =>
    receipts.refuse(session, { full, shown: full, isOutside: false }, facts) !== undefined
  for (let file = 0; file < receiptsPerSessionMax; file += 1) receipts.note('one', `/f${file}`, facts)
  expect(refused('one', '/f0')).toBe(false)
  receipts.note('one', '/more', facts)
  expect(refused('one', '/f0')).toBe(true)
  expect(refused('one', '/f1')).toBe(false)

  for (let session = 0; session < receiptSessionsMax - 1; session += 1) receipts.note(`s${session}`, '/f', facts)
  expect(refused('one', '/f1')).toBe(false)
  receipts.note('last', '/f', facts)
  expect(refused('one', '/f1')).toBe(true)
  expect(refused('s0', '/f')).toBe(false)
})
