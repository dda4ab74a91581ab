import { describe, test } from 'vitest'
import { PasswordThrottle, throttleFor } from '../../../local/agent/http/password-throttle.ts'
import {
  passwordKnownMsMax,
  passwordPlacesMax,
  passwordTriesAllMax,
  passwordTriesMax,
  passwordUnguessableChars,
  passwordWindowMs,
} from '../../../local/agent/limits.ts'

function throttleAt(startMs = 1_000_000) {
  const clock = { now: startMs, nowMs: () => clock.now }
  const throttle = new PasswordThrottle(clock)
  const guess = (address: string, times: number) => {
    for (let one = 0; one < times; one += 1) throttle.wrong(address)
  }
  return { clock, throttle, guess }
}

describe('wrong passwords', () => {
  test('from one place are looked at up to the bound, then not before the window ends', ({ expect }) => {
    const { clock, throttle, guess } = throttleAt()
    guess('192.0.2.1', passwordTriesMax - 1)
    expect(throttle.secondsToWait('192.0.2.1')).toBe(0)
    guess('192.0.2.1', 1)
    expect(throttle.secondsToWait('192.0.2.1')).toBe(passwordWindowMs / 1000)
    expect(throttle.secondsToWait('192.0.2.2')).toBe(0)

    clock.now += passwordWindowMs - 1
    expect(throttle.secondsToWait('192.0.2.1')).toBe(1)
    clock.now += 1
    expect(throttle.secondsToWait('192.0.2.1')).toBe(0)
  })

  test.for([
    ['2001:db8:1:2::1', '2001:db8:1:2:ffff::9', true],
    ['2001:db8:1:2::1', '2001:0DB8:0001:0002:3:4:5:6', true],
    ['2001:db8:1:2::1', '2001:db8:1:3::1', false],
    ['::ffff:192.0.2.1', '192.0.2.1', true],
    ['fe80::1%eth0', 'fe80::2%eth1', true],
    ['::1', '::2', true],
  ] as const)('%s and %s are one place: %s', ([first, second, isOne], { expect }) => {
    const { throttle, guess } = throttleAt()
    guess(first, passwordTriesMax)
    expect(throttle.secondsToWait(second) > 0).toBe(isOne)
  })

  test('from everywhere together shut out strangers, and no place that had the right one', ({ expect }) => {
    const { clock, throttle, guess } = throttleAt()
    throttle.right('198.51.100.7')
    for (let place = 0; place < passwordTriesAllMax; place += 1) guess(`10.0.${place >> 8}.${place & 255}`, 1)

    expect(throttle.secondsToWait('203.0.113.1')).toBeGreaterThan(0)
    expect(throttle.secondsToWait('198.51.100.7')).toBe(0)
    clock.now += passwordWindowMs
    expect(throttle.secondsToWait('203.0.113.1')).toBe(0)
  })

  test('a flood of places is remembered up to the bound, and pushes out none that is known', ({ expect }) => {
    const { clock, throttle, guess } = throttleAt()
    throttle.right('198.51.100.7')
    for (let place = 0; place <= passwordPlacesMax; place += 1)
      guess(`10.${place >> 16}.${(place >> 8) & 255}.${place & 255}`, 1)

    expect(throttle.placesKept).toBe(passwordPlacesMax)
    expect(throttle.secondsToWait('198.51.100.7')).toBe(0)
    clock.now += passwordKnownMsMax
    for (let place = 0; place < passwordTriesAllMax; place += 1) guess(`10.9.${place >> 8}.${place & 255}`, 1)
    expect(throttle.secondsToWait('198.51.100.7')).toBeGreaterThan(0)
  })

  test('are not counted where nobody guesses the password', ({ expect }) => {
    const { clock } = throttleAt()
    expect(throttleFor(undefined, clock)).toBeUndefined()
    expect(throttleFor('x'.repeat(passwordUnguessableChars), clock)).toBeUndefined()
    expect(throttleFor('x'.repeat(passwordUnguessableChars - 1), clock)).toBeDefined()
  })
})
