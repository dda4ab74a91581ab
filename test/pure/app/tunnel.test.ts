/** Rules of the tunnel without a tunnel: numbers, codes, the layout of its bytes, and how long a session lives. */
import fc from 'fast-check'
import { describe, test } from 'vitest'
import { DeviceSessions } from '../../../workers/app/adapters/tunnel/device-sessions.ts'
import { CipherKey } from '../../../workers/app/adapters/tunnel/noise.ts'
import {
  joinEnvelope,
  joinMessage,
  makeSessionName,
  splitEnvelope,
  splitMessage,
} from '../../../workers/app/core/tunnel/message-layout.ts'
import { readPairingCode, writePairingCode } from '../../../workers/app/core/tunnel/pairing-code.ts'
import { type ReplayWindow, unusedWindow, useNumber } from '../../../workers/app/core/tunnel/replay-window.ts'
import {
  carriedRequestsMax,
  tunnelIdleSeconds,
  tunnelNumberMax,
  tunnelSessionSeconds,
  tunnelSessionsMax,
  tunnelWindow,
} from '../../../workers/app/limits.ts'

const seed = Number(process.env['WHARF_FUZZ_SEED'] || 4711)
const bytes = (size: number) => fc.uint8Array({ minLength: size, maxLength: size })

describe('numbers of requests', () => {
  test('are taken once each, and not when they lie too far behind', ({ expect }) => {
    const near = fc.integer({ min: 0, max: 40 })
    const step = fc.oneof(near, near, fc.integer({ min: 0, max: 5000 }), fc.constant(tunnelNumberMax))
    fc.assert(
      fc.property(fc.array(step, { maxLength: 200 }), fc.integer({ min: 1, max: 64 }), (numbers, width) => {
        let window: ReplayWindow = unusedWindow
        const used = new Set<number>()
        for (const number of numbers) {
          const newest = Math.max(-1, ...used)
          const isFresh = !used.has(number) && number > newest - width
          const next = useNumber(window, number, width)
          expect(next !== undefined).toBe(isFresh)
          if (next === undefined) continue
          window = next
          used.add(number)
        }
      }),
      { seed },
    )
  })

  test('may fall as far behind as the window is wide, and no further', ({ expect }) => {
    const window = useNumber(unusedWindow, tunnelWindow, tunnelWindow) ?? unusedWindow

    expect(useNumber(window, 1, tunnelWindow)).toBeDefined()
    expect(useNumber(window, 0, tunnelWindow)).toBeUndefined()
  })
})

describe('a pairing code', () => {
  test('is read as it was written, however it is typed', ({ expect }) => {
    fc.assert(
      fc.property(bytes(16), (random) => {
        const code = writePairingCode(random)
        const typed = [code, code.toLowerCase(), code.replaceAll('-', ' '), ` ${code.replaceAll('1', 'l')} `]
        expect(new Set(typed.map(readPairingCode))).toEqual(new Set([code.replaceAll('-', '')]))
      }),
      { seed },
    )
  })

  test.for(['', 'ABCD', 'ABCD-EFGH-JKMN-PQR', 'ABCD-EFGH-JKMN-PQRSS', 'ABCD-EFGH-JKMN-PQRU', 'ABCD_EFGH_JKMN_PQRS'])(
    '%j is none',
    (typed, { expect }) => {
      expect(readPairingCode(typed)).toBeUndefined()
    },
  )

  test('uses every letter and digit of its alphabet', ({ expect }) => {
    const written = Array.from({ length: 16 }, (_, row) =>
      writePairingCode(Uint8Array.from({ length: 16 }, (__, at) => row * 16 + at)),
    )
    expect(new Set(written.join('').replaceAll('-', '')).size).toBe(32)
  })
})

describe('bytes', () => {
  test('are taken apart as they were put together', ({ expect }) => {
    const number = fc.integer({ min: 0, max: tunnelNumberMax })
    fc.assert(
      fc.property(bytes(32), number, fc.uint8Array({ maxLength: 50 }), fc.string(), (random, n, rest, text) => {
        const name = makeSessionName('device-id-01', random)
        const envelope = splitEnvelope(joinEnvelope(name, n, rest), tunnelNumberMax)
        expect(envelope).toMatchObject({ deviceId: 'device-id-01', number: n })
        expect([...(envelope?.sealed ?? [])]).toEqual([...rest])
        const message = splitMessage(joinMessage({ text }, rest), 1000)
        expect(JSON.parse(new TextDecoder().decode(message?.head))).toEqual({ text })
        expect([...(message?.body ?? [])]).toEqual([...rest])
      }),
      { seed },
    )
  })

  test('of a head are as many as may be, and no more', ({ expect }) => {
    const written = joinMessage({ a: 1 }, new Uint8Array())

    expect(splitMessage(written, 7)).toBeDefined()
    expect(splitMessage(written, 6)).toBeUndefined()
    expect(splitMessage(new Uint8Array(3), 6)).toBeUndefined()
  })
})

describe('a session', () => {
  async function opened() {
    let nowMs = 1_000_000
    const sessions = new DeviceSessions({ nowMs: () => nowMs })
    const raw = new Uint8Array(32).fill(9)
    const key = await CipherKey.from(raw)
    let number = 0
    return {
      admit: (name: string) => sessions.admit(name, { sending: raw, receiving: raw }),
      async ask(name: string) {
        number += 1
        return sessions.take(name, number, await key.seal(number, new Uint8Array([1])))
      },
      pass(seconds: number) {
        nowMs += seconds * 1000
      },
    }
  }

  test('ends when nothing was asked for long enough', async ({ expect }) => {
    const { admit, ask, pass } = await opened()
    await admit('one')

    pass(tunnelIdleSeconds - 1)
    expect(await ask('one')).toBeDefined()
    pass(tunnelIdleSeconds - 1)
    expect(await ask('one')).toBeDefined()
    pass(tunnelIdleSeconds)
    expect(await ask('one')).toBeUndefined()
    pass(-tunnelIdleSeconds)
    expect(await ask('one')).toBeUndefined()
  })

  test('ends after a day, however much is asked', async ({ expect }) => {
    const { admit, ask, pass } = await opened()
    await admit('one')
    const steps = tunnelSessionSeconds / (tunnelIdleSeconds / 2)
    for (let step = 1; step < steps; step += 1) {
      pass(tunnelIdleSeconds / 2)
      expect(await ask('one')).toBeDefined()
    }

    pass(tunnelIdleSeconds / 2 - 1)
    expect(await ask('one')).toBeDefined()
    pass(1)
    expect(await ask('one')).toBeUndefined()
  })

  test('gives way to newer ones: of those in use the one that rested longest, of the others the oldest', async ({
    expect,
  }) => {
    const { admit, ask } = await opened()
    const used = Array.from({ length: tunnelSessionsMax }, (_, at) => `used ${at}`)
    for (const name of used) {
      await admit(name)
      await ask(name)
    }
    expect(await ask('used 0')).toBeDefined()
    const waiting = Array.from({ length: tunnelSessionsMax + 1 }, (_, at) => `waiting ${at}`)
    for (const name of waiting) await admit(name)

    expect(await ask('waiting 0')).toBeUndefined()
    expect(await ask('waiting 1')).toBeDefined()
    expect(await ask('used 1')).toBeUndefined()
    expect(await ask('used 0')).toBeDefined()
  })

  test('has a bound on what is under way, and what ended makes room', async ({ expect }) => {
    const { admit, ask } = await opened()
    await admit('one')
    const taken = []
    for (let at = 0; at < carriedRequestsMax; at += 1) taken.push(await ask('one'))

    expect(taken.filter((one) => one?.isOneTooMany !== false)).toEqual([])
    const refused = await ask('one')
    expect(refused?.isOneTooMany).toBe(true)
    refused?.end()
    expect((await ask('one'))?.isOneTooMany).toBe(true)
    taken[0]?.end()
    taken[1]?.end()
    expect((await ask('one'))?.isOneTooMany).toBe(false)
  })
})
