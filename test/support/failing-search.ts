/** A search that each of so many sites fails in its own way, whatever they are called. */
import { failWith } from '#shared/kernel/result.ts'
import { streamSearch } from '../../workers/app/contract/console-search.ts'
import { search } from '../../workers/app/contract/search.ts'
import { inChinese } from '../../workers/app/core/reason/chinese.ts'
import type { Reason } from '../../workers/app/core/reason/reason.ts'
import { renderFailure } from '../../workers/app/http/render-failure.ts'
import { consoleSearchRoutes } from '../../workers/app/http/routes/console-search.ts'
import { searchRoutes } from '../../workers/app/http/routes/search.ts'
import type { AppDeps } from '../../workers/app/ports.ts'

const hardNames = ['站点（新）', 'a；b', '（（', '））', 'c、d：e', 'f (g); h', '「站」', '[]{}|', '搜索失败：x（y）']

const isDown = (name: string) => name.endsWith('7')

export interface FailedSearch {
  readonly names: readonly string[]
  readonly reason: Reason
  /** As the interface answers it. */
  ask(): Promise<Response>
  /** As the console is told it. */
  events(): Promise<string>
}

export function failingSearch(count: number): FailedSearch {
  const names = Array.from({ length: count }, (_, at) => `${hardNames[at % hardNames.length]}${at}`)
  const profile = { searches: true }
  const recordOf = (name: string) => ({ name, enabled: true, kind: 'nexusphp', profile })
  const sites = { list: async () => names.map((name) => ({ record: recordOf(name), target: { name } })) }
  const siteFleet = {
    search: async ({ name }: { name: string }) =>
      failWith(isDown(name) ? { kind: 'status', status: 503 } : { kind: 'timeout' }),
  }
  const deps = {
    sites: sites as unknown as AppDeps['sites'],
    siteFleet: siteFleet as unknown as AppDeps['siteFleet'],
    clock: { nowMs: () => 0 } as AppDeps['clock'],
  }
  const [bound] = searchRoutes(deps)
  const [followed] = consoleSearchRoutes(deps)
  if (bound?.route !== search || followed?.route !== streamSearch) throw new Error('no search')
  const { handle } = bound
  return {
    names,
    reason: {
      kind: 'search.failed',
      sites: names.map((site) => ({
        site,
        reason: isDown(site) ? { kind: 'site.status', status: 503 } : { kind: 'site.timeout' },
      })),
    },
    async ask() {
      const answer = await handle({
        body: { keyword: 'film' },
        say: inChinese,
      } as unknown as Parameters<typeof handle>[0])
      if (answer.ok) throw new Error('it did not fail')
      return renderFailure(answer.failure)
    },
    async events() {
      const answer = await followed.handle({ body: { keyword: 'film' } } as unknown as Parameters<typeof handle>[0])
      if (!answer.ok || !(answer.value.body instanceof ReadableStream)) throw new Error('no events')
      return new Response(answer.value.body).text()
    },
  }
}
