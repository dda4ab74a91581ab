import fc from 'fast-check'
import { describe, test } from 'vitest'
import type { WireDownloader } from '../../../../workers/app/contract/downloaders.ts'
import { loginTiers } from '../../../../workers/app/core/vocabulary.ts'
import { attention } from '../../../../workers/app/web/model/attention.ts'
import { arrangeJobs, hasFailed, jobHash, readJobFilter } from '../../../../workers/app/web/model/job-list.ts'
import {
  arrangeSites,
  everySite,
  lastFailure,
  needsAttention,
  readSiteQuery,
  type SiteRow,
  siteFilters,
  siteHash,
  siteLabel,
  siteRows,
  siteSorts,
  sortSites,
  urgencyOf,
} from '../../../../workers/app/web/model/site-board.ts'
import { inventedLibrary } from '../../../support/invented-library.ts'
import { labelled } from '../../../support/invented-sites.ts'

const nowUnix = 1_800_000_000
const library = inventedLibrary(nowUnix)
const rows = siteRows(library.sites ?? [], library.liveSites ?? [], library.jobs ?? [], library.today?.sites ?? [])

function row(name: string): SiteRow {
  const found = rows.find((one) => one.settings.name === name)
  if (found === undefined) throw new Error(`no site ${name}`)
  return found
}

const names = (list: readonly SiteRow[]) => list.map((one) => one.settings.name)

describe('rows of sites', () => {
  test('settings, figures, today and jobs of one site stand in one row', ({ expect }) => {
    const ginkgo = row('ginkgo')
    expect(ginkgo.live?.user?.level).toBe('Insane User')
    expect(ginkgo.jobs.map((job) => job.job)).toEqual(['statistics', 'probe', 'sign_in'])
    expect(ginkgo.today?.site).toBe('ginkgo')
    expect(row('quarry').today).toBeUndefined()
  })

  test('a site without figures is there all the same', ({ expect }) => {
    const [bare] = siteRows(library.sites ?? [], [], [], [])
    expect(bare).toMatchObject({ live: undefined, jobs: [], today: undefined })
  })

  test('a name for people wins over the one for addresses', ({ expect }) => {
    expect(siteLabel({ name: 'a', display_name: 'A site' })).toBe('A site')
    expect(siteLabel({ name: 'a', display_name: '' })).toBe('a')
  })

  test('every tier has an urgency', ({ expect }) => {
    expect(Object.fromEntries(loginTiers.map((tier) => [tier, urgencyOf(tier)]))).toEqual({
      none: 'calm',
      '30d': 'soon',
      '14d': 'soon',
      '7d': 'soon',
      '3d': 'now',
      'banned-imminent': 'now',
      unknown: 'unknown',
    })
  })

  test('the newest failure counts, and none of a site that is off', ({ expect }) => {
    expect(lastFailure(row('lantern'))?.job).toBe('statistics')
    expect(lastFailure(row('ginkgo'))).toBeUndefined()
    const off = { ...row('lantern'), settings: { ...row('lantern').settings, enabled: false } }
    expect(lastFailure(off)).toBeUndefined()
  })
})

describe('the list of sites', () => {
  test('starts with the least time left, and ends with what has no record or is off', ({ expect }) => {
    const order = names(arrangeSites(rows, everySite))
    expect(order.slice(0, 3)).toEqual(['lantern', 'ginkgo', 'quarry'])
    expect(order.slice(-2).toSorted()).toEqual(['driftwood', 'saltmarsh'])
  })

  test('what has no value stands last, whichever way it is sorted', ({ expect }) => {
    for (const order of ['asc', 'desc'] as const) {
      const last = names(arrangeSites(rows, { ...everySite, sort: 'today', order })).slice(-2)
      expect(last.toSorted()).toEqual(['driftwood', 'quarry'])
    }
  })

  test('is narrowed by words, by what needs its owner and by what is off', ({ expect }) => {
    expect(names(arrangeSites(rows, { ...everySite, words: ' 银杏 ' }))).toEqual(['ginkgo'])
    expect(names(arrangeSites(rows, { ...everySite, show: 'off' }))).toEqual(['driftwood'])
    expect(names(arrangeSites(rows, { ...everySite, show: 'attention' }))).toEqual(['lantern', 'ginkgo', 'quarry'])
    expect(needsAttention(row('driftwood'))).toBe(false)
  })

  test('whatever is chosen is read back from the address', ({ expect }) => {
    const anyQuery = fc.record({
      words: fc.string({ maxLength: 64, unit: 'grapheme' }).filter((text) => [...text].length <= 64),
      show: fc.constantFrom(...siteFilters),
      sort: fc.constantFrom(...siteSorts),
      order: fc.constantFrom('asc' as const, 'desc' as const),
    })
    fc.assert(
      fc.property(anyQuery, (query) => {
        expect(readSiteQuery(new URLSearchParams(siteHash(query).split('?')[1] ?? ''))).toEqual(query)
      }),
    )
    expect(siteHash(everySite)).toBe('#/sites')
    expect(readSiteQuery(new URLSearchParams('show=x&sort=y&order=z'))).toEqual(everySite)
  })

  test('a column is sorted the useful way first and the other way next', ({ expect }) => {
    const byRatio = sortSites(everySite, 'ratio')
    expect(byRatio).toMatchObject({ sort: 'ratio', order: 'desc' })
    expect(sortSites(byRatio, 'ratio').order).toBe('asc')
    expect(sortSites(byRatio, 'days').order).toBe('asc')
  })
})

describe('what waits for the owner', () => {
  const told = (list: ReturnType<typeof attention>) =>
    list.map((one) => `${one.kind} ${one.kind === 'downloader' ? one.downloader.name : one.row.settings.name}`)

  test('the most pressing comes first, and one reason is told once', ({ expect }) => {
    expect(told(attention(rows, library.statuses ?? []))).toEqual([
      'limit lantern',
      'job lantern',
      'job quarry',
      'downloader nas-2',
      'limit ginkgo',
    ])
  })

  test('a failed sign-in is told with its reason when nothing else failed for it', ({ expect }) => {
    const ginkgo = row('ginkgo')
    if (ginkgo.live === undefined) throw new Error('figures')
    const failed: SiteRow = {
      ...ginkgo,
      live: {
        ...ginkgo.live,
        login: { tier: 'none', days_remaining: 25 },
        attendance: { ...ginkgo.live.attendance, status: 'failed', reason: { kind: 'sign_in.gave_up' } },
      },
    }
    expect(attention([failed], [])).toMatchObject([{ kind: 'sign-in', reason: { kind: 'sign_in.gave_up' } }])
    const retried: SiteRow = {
      ...failed,
      live: ginkgo.live,
      jobs: [
        labelled({
          site: 'ginkgo',
          job: 'sign_in',
          due_at: 1,
          running: false,
          last_ok: false,
          reason: { kind: 'site.timeout' },
        }),
      ],
    }
    expect(told(attention([retried], []))).toEqual(['job ginkgo', 'limit ginkgo'])
  })

  test('nothing is said of what is off or reachable', ({ expect }) => {
    const reachable = (library.statuses ?? []).filter((one: WireDownloader) => one.reachable)
    expect(attention([row('driftwood'), row('cedar')], reachable)).toEqual([])
  })
})

describe('background jobs', () => {
  const labelOf = (job: { site?: string | undefined }) => job.site ?? ''
  const jobs = library.jobs ?? []

  test('what runs comes first, then what failed, then what is due next', ({ expect }) => {
    const arranged = arrangeJobs(jobs, 'all', labelOf)
    expect(arranged).toHaveLength(jobs.length)
    expect(arranged[0]?.running).toBe(true)
    expect(arranged.slice(1, 4).every(hasFailed)).toBe(true)
    const rest = arranged.slice(4).map((job) => job.due_at)
    expect(rest).toEqual(rest.toSorted((a, b) => a - b))
  })

  test.for([
    ['failed', 3],
    ['running', 1],
  ] as const)('those that are %s are found', ([show, count], { expect }) => {
    expect(arrangeJobs(jobs, show, labelOf)).toHaveLength(count)
    expect(readJobFilter(new URLSearchParams(jobHash(show).split('?')[1]))).toBe(show)
  })

  test('an unknown choice shows all', ({ expect }) => {
    expect(readJobFilter(new URLSearchParams('show=none'))).toBe('all')
    expect(jobHash('all')).toBe('#/jobs')
  })
})
