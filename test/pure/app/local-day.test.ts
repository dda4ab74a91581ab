import fc from 'fast-check'
import { describe, test } from 'vitest'
import { addDays, isTimeZone, localDay, momentOfDay } from '../../../workers/app/core/local-day.ts'

const unix = (iso: string) => Date.parse(iso) / 1000

describe('a day in the service’s zone', () => {
  test.each([
    ['Asia/Shanghai', '2026-11-20T15:59:59Z', '2026-11-20'],
    ['Asia/Shanghai', '2026-11-20T16:00:00Z', '2026-11-21'],
    ['America/New_York', '2026-11-21T04:59:59Z', '2026-11-20'],
    ['Pacific/Kiritimati', '2026-11-20T10:00:00Z', '2026-11-21'],
    ['UTC', '2026-12-31T23:59:59Z', '2026-12-31'],
  ])('in %s, %s is %s', (zone, iso, day) => {
    if (localDay(unix(iso), zone) !== day) throw new Error(localDay(unix(iso), zone))
  })

  test.each([
    ['2026-02-28', 1, '2026-03-01'],
    ['2028-02-28', 1, '2028-02-29'],
    ['2026-12-31', 1, '2027-01-01'],
    ['2026-11-21', -400, '2025-10-17'],
  ])('%s and %i days is %s', (day, days, result) => {
    if (addDays(day, days) !== result) throw new Error(addDays(day, days))
  })
})

describe('a moment of the day', () => {
  test.each([
    ['Asia/Shanghai', '2026-11-21', 480, '2026-11-21T00:00:00Z'],
    ['America/New_York', '2026-07-01', 480, '2026-07-01T12:00:00Z'],
    ['America/New_York', '2026-12-01', 480, '2026-12-01T13:00:00Z'],
    ['on the day the clock goes forward, after it', '2026-03-08', 480, '2026-03-08T12:00:00Z'],
    ['the skipped 02:30 is the first moment after it', '2026-03-08', 150, '2026-03-08T07:00:00Z'],
    ['the doubled 01:30 is the first of the two', '2026-11-01', 90, '2026-11-01T05:30:00Z'],
  ])('%s: %s at minute %i is %s', (zone, day, minutes, iso) => {
    const at = momentOfDay(day, minutes, zone.includes('/') ? zone : 'America/New_York')
    if (at !== unix(iso)) throw new Error(new Date(at * 1000).toISOString())
  })

  test('lies on its day and shows its time, in every zone and season', () => {
    fc.assert(
      fc.property(
        fc.constantFrom('Asia/Shanghai', 'America/New_York', 'Australia/Lord_Howe', 'Asia/Kathmandu', 'UTC'),
        fc.integer({ min: 0, max: 3650 }),
        fc.integer({ min: 180, max: 1439 }),
        (zone, days, minutes) => {
          const day = addDays('2024-01-01', days)
          const at = momentOfDay(day, minutes, zone)
          const shown = new Date(at * 1000).toLocaleTimeString('en-GB', {
            timeZone: zone,
            hour: '2-digit',
            minute: '2-digit',
          })
          return (
            localDay(at, zone) === day &&
            shown === `${String(Math.floor(minutes / 60)).padStart(2, '0')}:${String(minutes % 60).padStart(2, '0')}`
          )
        },
      ),
    )
  })
})

test('a zone that does not exist is told apart', ({ expect }) => {
  expect(isTimeZone('Asia/Shanghai')).toBe(true)
  expect(isTimeZone('Mars/Olympus')).toBe(false)
  expect(isTimeZone('')).toBe(false)
})
