import { setFlagsFromString } from 'node:v8'
import { runInNewContext } from 'node:vm'
import { expect, test } from 'vitest'
import { siteProfile } from '../../../workers/app/adapters/sites/site-definitions.ts'
import { SiteHttp } from '../../../workers/app/adapters/sites/site-http.ts'
import { unwrap } from '../../support/unwrap.ts'

test('an answer that was read is let go of, though the limit of its visit still runs', async () => {
  setFlagsFromString('--expose-gc')
  const collect = runInNewContext('gc') as () => void
  const visit = new AbortController()
  const http = new SiteHttp(
    {
      kind: 'nexusphp',
      baseUrl: 'https://site.example',
      credentials: { cookie: 'a=b', apiKey: '' },
      profile: siteProfile('nexusphp', { request_interval_ms: 0 }),
    },
    {
      bounds: { callMs: 5000, answerBytesMax: 1024 * 1024, queueMax: 32 },
      fetch: async () => new Response('x'.repeat(200_000)),
      nowMs: () => Date.now(),
      wait: async () => undefined,
    },
  )
  const bytes = await (async () => {
    const answer = unwrap(await http.call({ path: 'torrents.php' }, visit.signal))
    return new WeakRef(answer.bytes)
  })()
  // What a promise still holds is free a turn later.
  for (let turn = 0; turn < 20 && bytes.deref() !== undefined; turn += 1) {
    await new Promise((resolve) => setTimeout(resolve, 5))
    collect()
  }
  expect(bytes.deref()).toBeUndefined()
  expect(visit.signal.aborted).toBe(false)
})
