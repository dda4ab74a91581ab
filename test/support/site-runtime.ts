import type { SiteRuntime } from '../../workers/app/adapters/sites/site-driver.ts'

/** What a site's driver runs with where nothing but the answers matters: a day of November 2026, and no waiting. */
export const siteRuntime = (fetch: SiteRuntime['fetch']): SiteRuntime => ({
  bounds: { callMs: 5000, answerBytesMax: 4 * 1024 * 1024, queueMax: 8 },
  fetch,
  nowMs: () => Date.UTC(2026, 10, 21),
  wait: async () => undefined,
})
