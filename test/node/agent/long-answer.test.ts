import { expect, test } from 'vitest'
import { answerBytesMax } from '../../../local/agent/limits.ts'
import { startTestServer } from '../../support/agent-server.ts'
import { gate } from '../../support/fake-model.ts'

const half = 'é'.repeat(answerBytesMax / 4)

interface Answer {
  readonly type: string
  readonly finish?: string
  readonly error?: { readonly message: string }
  readonly content: readonly { readonly type: string; readonly text: string }[]
}

function textOf(answer: Answer | undefined): string {
  return answer?.content.map(({ text }) => text).join('') ?? ''
}

test.for([
  { name: 'at the bound', more: '', ends: { finish: 'stop' } },
  { name: 'one character past it', more: 'é', ends: { finish: 'error', error: { reason: 'provider' } } },
])('an answer $name is kept as far as the bound, and says how it ended', async ({ more, ends }, { expect }) => {
  const server = await startTestServer()
  server.model.script({ text: [half, half, ...(more === '' ? [] : [more])] })
  const session = await server.firstTurn('Go on')

  const answer = (await server.messages(session)).at(-1) as unknown as Answer
  expect(answer).toMatchObject(ends)
  expect(textOf(answer) === half + half).toBe(true)
  if (more !== '') expect(answer.error?.message).toContain(`longer than ${answerBytesMax} bytes`)
  expect(server.model.asked).toHaveLength(1)
  await server.close()
})

test('what has arrived of an answer is read at every moment, by every read', async () => {
  const hold = gate()
  const server = await startTestServer()
  const pieces = Array.from({ length: 40 }, (_, index) => `${index} `.padEnd(200, 'x'))
  server.model.script({ reasoning: ['thinking ', 'on'], text: pieces, hold: hold.wait })
  const session = await server.createSession()
  await server.prompt(session, 'Go on')
  const listed = async () => (await server.messages(session)).at(-1) as unknown as Answer
  const whole = `thinking on${pieces.join('')}`
  await expect.poll(async () => textOf(await listed()), { timeout: 10_000 }).toBe(whole)

  const { id } = (await listed()) as unknown as { id: string }
  const read = async (target: string) =>
    ((await (await fetch(`${server.address}/api/session/${session}/${target}`)).json()) as { data: never }).data
  expect(textOf(await read(`message/${id}`))).toBe(whole)
  expect(textOf(((await read('context')) as Answer[]).at(-1))).toBe(whole)
  hold.open()
  await server.wait(session)
  expect(textOf(await listed())).toBe(whole)
  expect(await listed()).toMatchObject({ finish: 'stop' })
  await server.close()
}, 60_000)
