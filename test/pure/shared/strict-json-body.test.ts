import fc from 'fast-check'
import { describe, test } from 'vitest'
import { readBytes, readStrictJson } from '../../../shared/http/strict-json-body.ts'

const bounds = { bytesMax: 64, depthMax: 3 }

function streamOf(...chunks: Uint8Array[]): ReadableStream<Uint8Array> {
  return new ReadableStream({
    start(controller) {
      for (const chunk of chunks) controller.enqueue(chunk)
      controller.close()
    },
  })
}

const utf8 = (text: string) => new TextEncoder().encode(text)

describe('readStrictJson', () => {
  test.each([
    ['an object', '{"a":[1,"]"]}', { a: [1, ']'] }],
    ['a value in white space', ' \n 7 \t', 7],
    ['the deepest allowed nesting', '[[[1]]]', [[[1]]]],
    ['brackets inside strings', '"[[[[[[["', '[[[[[[['],
    ['an escaped quote before brackets', '"\\"[[[["', '"[[[['],
  ])('reads %s', async (_, text, value) => {
    const outcome = await readStrictJson(streamOf(utf8(text)), bounds)

    if (!outcome.ok || JSON.stringify(outcome.value) !== JSON.stringify(value)) throw new Error(JSON.stringify(outcome))
  })

  test.each([
    ['nothing', '', 'empty'],
    ['only white space', ' \n', 'empty'],
    ['a second value', '{} {}', 'not_json'],
    ['a trailing comma', '[1,]', 'not_json'],
    ['one level too deep', '[[[[1]]]]', 'too_deep'],
    ['a bomb of brackets that never close', '['.repeat(60), 'too_deep'],
    ['one byte too many', `"${'a'.repeat(63)}"`, 'too_large'],
    ['a byte order mark', '\uFEFF{}', 'not_json'],
  ])('refuses %s', async (_, text, reason) => {
    const outcome = await readStrictJson(streamOf(utf8(text)), bounds)

    if (outcome.ok || outcome.failure !== reason) throw new Error(JSON.stringify(outcome))
  })

  test('refuses bytes that are no UTF-8', async ({ expect }) => {
    expect(await readStrictJson(streamOf(new Uint8Array([0x22, 0xff, 0x22])), bounds)).toEqual({
      ok: false,
      failure: 'not_json',
    })
  })

  test('takes exactly its bound', async ({ expect }) => {
    expect(await readStrictJson(streamOf(utf8(`"${'a'.repeat(62)}"`)), bounds)).toMatchObject({ ok: true })
  })

  test('reads the same value however the bytes are cut', async ({ expect }) => {
    await fc.assert(
      fc.asyncProperty(fc.jsonValue({ maxDepth: 3 }), fc.array(fc.nat(), { maxLength: 6 }), async (value, cuts) => {
        const bytes = utf8(JSON.stringify(value))
        const places = [0, ...cuts.map((cut) => cut % (bytes.length + 1)), bytes.length].sort(
          (left, right) => left - right,
        )
        const chunks = places.slice(1).map((end, index) => bytes.slice(places[index], end))
        const outcome = await readStrictJson(streamOf(...chunks), { bytesMax: 1_000_000, depthMax: 64 })
        expect(outcome).toEqual({ ok: true, value: JSON.parse(JSON.stringify(value)) })
      }),
      { numRuns: 300 },
    )
  })
})

test('an endless body is cut at the bound and its source is told to stop', async ({ expect }) => {
  let cancelled = false
  let sent = 0
  const endless = new ReadableStream<Uint8Array>({
    pull(controller) {
      sent += 1
      controller.enqueue(new Uint8Array(10))
    },
    cancel() {
      cancelled = true
    },
  })

  expect(await readBytes(endless, 100)).toEqual({ ok: false, failure: 'too_large' })
  expect(cancelled).toBe(true)
  expect(sent).toBeLessThan(20)
})

test('the rest of a body that is left to the host can be taken by it', async ({ expect }) => {
  const body = streamOf(utf8('ab'), utf8('cd'), utf8('ef'))

  expect(await readBytes(body, 3, 'left')).toEqual({ ok: false, failure: 'too_large' })
  expect((await body.getReader().read()).value).toEqual(utf8('ef'))
})
