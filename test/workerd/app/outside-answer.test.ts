/** Answers as the Worker's runtime hands them over: in pieces as long as the site's last answer. */
import { test } from 'vitest'
import { SiteHttp } from '../../../workers/app/adapters/sites/site-http.ts'
import type { SiteSettings } from '../../../workers/app/core/site.ts'

const piece = 64 * 1024
const bytesMax = 4 * piece
const settings: SiteSettings = {
  kind: 'nexusphp',
  baseUrl: 'https://site.test',
  credentials: { cookie: 'c', apiKey: '' },
  profile: {
    utcOffsetMinutes: 0,
    requestIntervalMs: 0,
    categories: {},
    paths: {},
    selectors: {},
    labels: {},
    hosts: [],
    headers: {},
    signsIn: false,
    searches: true,
  },
}

/** No two neighbours are alike, so that a piece at a wrong place shows. */
const bytesOf = (length: number) => Uint8Array.from({ length }, (_, at) => at * 31 + (at >> 8))

/** A site that answers with so many bytes, in one or in small parts, as networks do. */
function siteOf(lengths: readonly number[], partBytes: number): SiteHttp {
  const next = lengths.values()
  return new SiteHttp(settings, {
    bounds: { callMs: 5000, answerBytesMax: bytesMax, queueMax: 1 },
    fetch: async () => {
      const bytes = bytesOf(next.next().value ?? 0)
      const { readable, writable } = new IdentityTransformStream()
      void sendInParts(bytes, partBytes, writable.getWriter())
      return new Response(readable)
    },
    nowMs: () => 0,
    wait: async () => undefined,
  })
}

async function sendInParts(bytes: Uint8Array, partBytes: number, writer: WritableStreamDefaultWriter): Promise<void> {
  try {
    for (let at = 0; at < bytes.length; at += partBytes) await writer.write(bytes.subarray(at, at + partBytes))
    await writer.close()
  } catch {
    // The reader left: the answer was too long.
  }
}

test.for([
  ['in one part', bytesMax + 1],
  ['in parts of an odd length', 10_007],
] as const)('each answer is whole, longer or shorter than the one before, %s', async ([, partBytes], { expect }) => {
  const lengths = [5, 0, piece - 1, piece, piece + 1, 2 * piece, 3 * piece - 1, 7, bytesMax, bytesMax - 1, 1]
  const site = siteOf(lengths, partBytes)
  for (const length of lengths) {
    const answer = await site.call({ path: 'list' }, AbortSignal.timeout(5000))
    expect(answer.ok && answer.value.bytes).toEqual(bytesOf(length))
  }
})

test('one byte past the bound is too long, whatever came before', async ({ expect }) => {
  const site = siteOf([bytesMax + 1, bytesMax, bytesMax + 1], 10_007)
  for (const isWhole of [false, true, false])
    expect((await site.call({ path: 'list' }, AbortSignal.timeout(5000))).ok).toBe(isWhole)
})
