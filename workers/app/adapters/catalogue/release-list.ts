import { z } from '@hono/zod-openapi'
import { failWith, type Result, succeed } from '#shared/kernel/result.ts'
import { cutTo } from '../../core/redact.ts'
import { isPreviewVersion, isVersion, type Release } from '../../core/release.ts'
import type { ServiceFault } from '../../core/service-fault.ts'
import {
  changelogCharactersMax,
  releaseCallMs,
  releaseListBytesMax,
  releaseListsMax,
  releaseNameCharactersMax,
  releaseRetryMs,
  releaseSeconds,
  releasesMax,
} from '../../limits.ts'
import { callService, jsonIn, type ServiceRuntime } from './call-service.ts'
import { KeptAnswers } from './kept-answers.ts'

/** What the releases API says of one release; what else it says is of no interest. */
const listed = z.object({
  tag_name: z.string(),
  name: z.string().nullish(),
  body: z.string().nullish(),
  html_url: z.string().nullish(),
  published_at: z.string().nullish(),
  draft: z.boolean().nullish(),
  prerelease: z.boolean().nullish(),
})

const kept = z.array(
  z.object({
    version: z.string(),
    name: z.string(),
    publishedAtUnix: z.number(),
    url: z.string(),
    changelog: z.string(),
    isPreview: z.boolean(),
  }),
)

export interface CheckedReleases {
  readonly checkedAtUnix: number
  readonly releases: readonly Release[]
}

/** The list is asked at most once a day; what it said last stays good while it cannot be asked again. */
export class ReleaseList {
  readonly #runtime: ServiceRuntime
  readonly #kept: KeptAnswers
  /** So that a list that is away is not asked by every caller. */
  #failed: { readonly address: string; readonly atMs: number; readonly fault: ServiceFault } | undefined
  #underWay: { readonly address: string; readonly answer: Promise<Result<CheckedReleases, ServiceFault>> } | undefined

  constructor(sql: SqlStorage, runtime: ServiceRuntime) {
    this.#runtime = runtime
    this.#kept = new KeptAnswers(sql, 'releases', { secondsMax: Number.MAX_SAFE_INTEGER, rowsMax: releaseListsMax })
  }

  async read(address: string, proxy: string | undefined): Promise<Result<CheckedReleases, ServiceFault>> {
    const nowMs = this.#runtime.nowMs()
    const earlier = this.#earlier(address)
    const ageSeconds = earlier === undefined ? undefined : nowMs / 1000 - earlier.checkedAtUnix
    if (earlier !== undefined && ageSeconds !== undefined && ageSeconds >= 0 && ageSeconds < releaseSeconds)
      return succeed(earlier)
    const checked = await this.#check(address, proxy, nowMs)
    return checked.ok || earlier === undefined ? checked : succeed(earlier)
  }

  #check(address: string, proxy: string | undefined, nowMs: number): Promise<Result<CheckedReleases, ServiceFault>> {
    const failed = this.#failed
    if (failed?.address === address && nowMs >= failed.atMs && nowMs < failed.atMs + releaseRetryMs)
      return Promise.resolve(failWith(failed.fault))
    if (this.#underWay?.address !== address) {
      const answer = this.#fetch(address, proxy, nowMs).finally(() => {
        if (this.#underWay?.answer === answer) this.#underWay = undefined
      })
      this.#underWay = { address, answer }
    }
    return this.#underWay.answer
  }

  async #fetch(
    address: string,
    proxy: string | undefined,
    nowMs: number,
  ): Promise<Result<CheckedReleases, ServiceFault>> {
    const answer = await callService(this.#runtime, {
      address: `${address}?per_page=${releasesMax}`,
      headers: { accept: 'application/vnd.github+json' },
      proxy,
      bytesMax: releaseListBytesMax,
      limitMs: releaseCallMs,
    })
    const list = answer.ok ? z.array(z.unknown()).safeParse(jsonIn(answer.value)).data : undefined
    if (list === undefined) {
      const fault: ServiceFault = answer.ok ? { kind: 'broken' } : answer.failure
      this.#failed = { address, atMs: nowMs, fault }
      return failWith(fault)
    }
    const checkedAtUnix = Math.floor(nowMs / 1000)
    const releases = list.slice(0, releasesMax).flatMap(toRelease)
    this.#kept.keep(address, checkedAtUnix, JSON.stringify(releases))
    return succeed({ checkedAtUnix, releases })
  }

  #earlier(address: string): CheckedReleases | undefined {
    const row = this.#kept.read(address)
    return row === undefined ? undefined : { checkedAtUnix: row.atUnix, releases: kept.parse(JSON.parse(row.facts)) }
  }
}

/** None for a draft, and for what is no version. */
function toRelease(item: unknown): Release[] {
  const { data } = listed.safeParse(item)
  if (data === undefined || data.draft === true || !isVersion(data.tag_name)) return []
  const publishedAtMs = Date.parse(data.published_at ?? '')
  return [
    {
      version: data.tag_name,
      name: cutTo(data.name || data.tag_name, releaseNameCharactersMax),
      publishedAtUnix: Number.isNaN(publishedAtMs) ? 0 : Math.floor(publishedAtMs / 1000),
      url: webAddress(data.html_url ?? ''),
      changelog: cutTo(data.body ?? '', changelogCharactersMax),
      isPreview: data.prerelease === true || isPreviewVersion(data.tag_name),
    },
  ]
}

/** A link that a page may offer: nothing that runs, and nothing that signs in. */
function webAddress(text: string): string {
  if (!URL.canParse(text)) return ''
  const { protocol, username, password, href } = new URL(text)
  return (protocol === 'https:' || protocol === 'http:') && username === '' && password === '' ? href : ''
}
