import { describe, test } from 'vitest'
import { callService } from '../../../workers/app/adapters/catalogue/call-service.ts'
import { retryAfterSecondsDefault, retryAfterSecondsMax, serviceRedirectsMax } from '../../../workers/app/limits.ts'

const address = 'https://service.example/3/list'
const bytesMax = 100

function call(fetch: (address: string, init: RequestInit, proxy?: string) => Promise<Response>, limitMs = 60_000) {
  return callService({ fetch }, { address, proxy: undefined, bytesMax, limitMs })
}

describe('one call to a service', () => {
  test('may be as long as its bound and not one byte longer', async ({ expect }) => {
    const whole = await call(async () => new Response(new Uint8Array(bytesMax)))

    expect(whole.ok && whole.value.byteLength).toBe(bytesMax)
    expect(await call(async () => new Response(new Uint8Array(bytesMax + 1)))).toEqual({
      ok: false,
      failure: { kind: 'too_large' },
    })
  })

  test('ends with its time, before the answer begins and in its middle', async ({ expect }) => {
    const silent = await call(
      (_, { signal }) =>
        new Promise((_resolve, reject) => signal?.addEventListener('abort', () => reject(signal.reason))),
      1,
    )
    const halting = await call(async () => {
      const body = new ReadableStream({ start: (controller) => controller.enqueue(new Uint8Array(1)) })
      return new Response(body)
    }, 1)

    expect([silent, halting]).toEqual(Array(2).fill({ ok: false, failure: { kind: 'timeout' } }))
  })

  test('follows its own origin as far as the bound and not one step further', async ({ expect }) => {
    const round = (steps: number) => {
      let left = steps
      return call(async () => {
        left -= 1
        return left < 0 ? new Response('there') : new Response(null, { status: 302, headers: { location: '/next' } })
      })
    }

    expect((await round(serviceRedirectsMax)).ok).toBe(true)
    expect(await round(serviceRedirectsMax + 1)).toEqual({ ok: false, failure: { kind: 'redirected' } })
  })

  test.for([
    [null, retryAfterSecondsDefault],
    ['7', 7],
    [String(retryAfterSecondsMax), retryAfterSecondsMax],
    [String(retryAfterSecondsMax + 1), retryAfterSecondsMax],
    ['0', 1],
    ['-1', retryAfterSecondsDefault],
    ['Wed, 21 Oct 2026 07:28:00 GMT', retryAfterSecondsDefault],
  ] as const)('that is limited, with %j, waits %i s', async ([retryAfter, seconds], { expect }) => {
    const headers = retryAfter === null ? {} : { 'retry-after': retryAfter }

    expect(await call(async () => new Response(null, { status: 429, headers }))).toEqual({
      ok: false,
      failure: { kind: 'rate_limited', retryAfterSeconds: seconds },
    })
  })

  test('tells a limit of calls from a refusal where the host of releases says it by a header', async ({ expect }) => {
    const answer = (left: string) =>
      call(async () => new Response(null, { status: 403, headers: { 'x-ratelimit-remaining': left } }))

    expect(await answer('0')).toMatchObject({ failure: { kind: 'rate_limited' } })
    expect(await answer('5')).toMatchObject({ failure: { kind: 'refused' } })
  })
})
