/** What is made ready after a start, so that the first turn holds nobody up. */
import { execFile } from 'node:child_process'
import path from 'node:path'
import { promisify } from 'node:util'
import { test } from 'vitest'
import { createModelClient } from '../../../local/agent/adapters/model-client.ts'
import { answerRehearsal, rehearsedRequest } from '../../../local/agent/adapters/rehearsed-answer.ts'

const agent = path.resolve(import.meta.dirname, '../../../local/agent')
/** A file takes half a millisecond and more. */
const filesAtOnceMax = 7

test('what a turn needs is loaded in pieces of a few files', { timeout: 120_000 }, async ({ expect }) => {
  const code = `
    import { registerHooks } from 'node:module'
    let files = 0
    registerHooks({ load: (url, context, next) => (files += 1, next(url, context)) })
    await import(${JSON.stringify(path.join(agent, 'serve.ts'))})
    const { turnPieces } = await import(${JSON.stringify(path.join(agent, 'compose/turn-pieces.ts'))})
    const counts = []
    for (const load of [...turnPieces, () => import(${JSON.stringify(path.join(agent, 'compose/turns.ts'))})]) {
      files = 0
      await load()
      counts.push(files)
    }
    console.log(JSON.stringify(counts))`
  const { stdout } = await promisify(execFile)(process.execPath, ['--input-type=module', '--eval', code])
  const counts = JSON.parse(stdout) as number[]

  expect(Math.max(...counts), stdout).toBeLessThanOrEqual(filesAtOnceMax)
  // Each piece has something of its own, or it is none.
  expect(counts).not.toContain(0)
})

test('the rehearsed answer is read as one of a provider: a text, a call, and its end', async ({ expect }) => {
  const parts = []
  for await (const part of createModelClient(answerRehearsal).stream(rehearsedRequest, new AbortController().signal))
    parts.push(part)

  expect(parts.map(({ type }) => type)).toEqual(expect.arrayContaining(['text-delta', 'tool-call', 'finish']))
  expect(parts.find(({ type }) => type === 'tool-call')).toMatchObject({ call: { name: 'read', input: {} } })
})
