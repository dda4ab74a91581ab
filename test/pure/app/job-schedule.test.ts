import { describe, test } from 'vitest'
import { nextWake, pickDue } from '../../../workers/app/core/job-schedule.ts'

describe('due jobs', () => {
  const job = (subjectId: number, dueAtUnix: number, leaseUntilUnix = 0) => ({
    scope: 'site',
    subjectId,
    dueAtUnix,
    leaseUntilUnix,
  })

  test('run one at a time for a subject, what waits longest first', ({ expect }) => {
    const jobs = [job(1, 90), job(1, 50), job(2, 70), job(3, 101)]

    expect(pickDue(jobs, 100, 50)).toEqual([job(1, 50), job(2, 70)])
  })

  test('wait while another of their subject holds its lease', ({ expect }) => {
    expect(pickDue([job(1, 50), job(1, 40, 101)], 100, 50)).toEqual([])
    expect(pickDue([job(1, 50), job(1, 40, 100)], 100, 50)).toEqual([job(1, 40, 100)])
  })

  test('of a site and of a downloader with the same number do not wait for one another', ({ expect }) => {
    const ofDownloader = { ...job(1, 60), scope: 'downloader' }

    expect(pickDue([job(1, 50, 101), ofDownloader], 100, 50)).toEqual([ofDownloader])
  })

  test('are taken up to the bound', ({ expect }) => {
    const jobs = Array.from({ length: 51 }, (_, index) => job(index, 1))

    expect(pickDue(jobs, 100, 50)).toHaveLength(50)
  })

  test('wake the scheduler for the first of them, or for the end of its lease', ({ expect }) => {
    expect(nextWake([job(1, 500), job(2, 300)])).toBe(300)
    expect(nextWake([job(1, 500), job(2, 300, 450)])).toBe(450)
    expect(nextWake([])).toBeUndefined()
  })
})
