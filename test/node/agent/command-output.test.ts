import { chmod, mkdtemp, readFile, realpath, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import path from 'node:path'
import { afterEach, beforeEach, expect, test } from 'vitest'
import { CommandOutput } from '../../../local/agent/runtime/tools/command-output.ts'
import { startTestServer } from '../../support/agent-server.ts'

const bounds = { endBytesMax: 10, logBytesMax: 40 }
let folder: string
let file: string

beforeEach(async () => {
  folder = await realpath(await mkdtemp(path.join(tmpdir(), 'command-output-')))
  file = path.join(folder, 'kept', 'log.txt')
})

afterEach(async () => {
  await chmod(folder, 0o700)
  await rm(folder, { recursive: true, force: true })
})

const text = (bytes: number) => Array.from({ length: bytes }, (_, index) => 'abcdefghij'[index % 10]).join('')

/** However it arrives. */
const sizes = [1, 3, 7, 10, 25, 1000]

test.for(sizes)(
  'output as long as both ends together is shown whole, without a file, in pieces of %i',
  async (size) => {
    expect(collect(text(20), size)).toEqual({ text: text(20), wasCut: false, log: undefined })
    await expect(readFile(file)).rejects.toThrow('ENOENT')
  },
)

test.for(sizes)('one byte more keeps both ends, and the whole in a file, in pieces of %i', async (size) => {
  const { text: shown, log } = collect(`${text(20)}!`, size)
  expect(shown).toBe(`abcdefghij\n… (1 bytes are left out; the whole output is in ${file})\nbcdefghij!`)
  expect(log).toBe(file)
  expect(await readFile(file, 'utf8')).toBe(`${text(20)}!`)
})

test.for([1, 3, 7, 10])(
  'a file that would grow past its bound says what it leaves out, in pieces of %i',
  async (size) => {
    collect(text(300), size)
    const kept = await readFile(file, 'utf8')
    const [, first = '', leftOut, last = ''] = /^([a-j]+)\n… \((\d+) bytes are left out\)\n([a-j]+)$/.exec(kept) ?? []
    expect(first).toBe(text(40))
    expect(first.length + Number(leftOut) + last.length).toBe(300)
    expect(last.endsWith('abcdefghij')).toBe(true)
  },
)

test('no character is cut in two', () => {
  const { text: shown } = collect('é'.repeat(5).concat('x', 'é'.repeat(30)), 4)
  expect(shown).not.toContain('\ufffd')
})

test('where the file cannot be written the ends are still shown, and why there are no more', async () => {
  file = path.join('/dev/null', 'log.txt')
  const { text: shown, log } = collect(text(300), 7)
  expect(log).toBeUndefined()
  expect(shown).toBe('abcdefghij\n… (280 bytes are left out; the disk had no room for them)\nabcdefghij')
})

test('what a command says is shown while it runs', { timeout: 60_000 }, async () => {
  const server = await startTestServer({ config: { permission: 'allow' } })
  const command = 'echo step one; for i in $(seq 600); do [ -e go ] && break; sleep 0.05; done; echo over'
  server.model.script({ calls: [{ id: 'c1', name: 'bash', input: { command } }] }, { text: ['done'] })
  const session = await server.createSession()
  const shown = server.events('/api/event', (events) => events.some(isProgress))
  await server.prompt(session, 'Build')
  const progress = (await shown).find(isProgress)
  await server.write('go', '')
  await server.wait(session)

  expect(progress?.data.data).toMatchObject({ sessionID: session, callID: 'c1', output: 'step one\n' })
  await server.close()
})

function isProgress({ data }: { readonly data: { readonly type: string } }): boolean {
  return data.type === 'session.tool.progress'
}

function collect(whole: string, size: number) {
  const output = new CommandOutput(file, bounds)
  const bytes = Buffer.from(whole)
  for (let at = 0; at < bytes.length; at += size) output.add(bytes.subarray(at, at + size))
  return output.end()
}
