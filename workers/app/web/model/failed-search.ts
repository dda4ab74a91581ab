import type { search } from '../../contract/search.ts'

type SearchErrors = (typeof search)['answers'][200]['_output']['errors']

/**
 * The sites that a failed search names, each with its reason, so that the page shows them as it shows one site that did
 * not answer beside others that did. The server cuts a long message: what is behind the cut is not told.
 */
export function sitesOfFailedSearch(message: string): SearchErrors {
  const reasons = /^搜索失败：(.+)$/u.exec(message)?.[1]?.split('；') ?? []
  return reasons.flatMap((reason) => {
    const { error, sites } = /^(?<error>[^（）]+)（(?<sites>[^（）]+)）$/u.exec(reason)?.groups ?? {}
    if (error === undefined || sites === undefined) return []
    return sites.split('、').map((site) => ({ site, error }))
  })
}
