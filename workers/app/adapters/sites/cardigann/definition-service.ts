import { failWith, type Result, succeed } from '#shared/kernel/result.ts'
import {
  type CheckedDefinition,
  checkedDefinition,
  type PlacedFault,
} from '../../../core/cardigann/checked-definition.ts'
import { compileDefinition } from '../../../core/cardigann/compile-definition.ts'
import type { Tree } from '../../../core/cardigann/definition-reader.ts'
import { isPublicName } from '../../../core/public-name.ts'
import {
  definitionBytesMax,
  definitionFaultsMax,
  definitionFetchMs,
  siteIntervalMsMax,
  siteRedirectsMax,
} from '../../../limits.ts'
import type { DefinitionService } from '../../../ports/site-definitions.ts'
import { readBytes, redirectStatuses } from '../../outside-answer.ts'
import { definitionDepthMax } from '../../yaml-shape.ts'
import { readYaml } from '../../yaml-text.ts'
import { isPageSelector } from './page-tree.ts'

/** `fetch` is the one that reaches whatever the owner may reach. */
export function createDefinitionService(
  fetch: (address: string, init: RequestInit) => Promise<Response>,
): DefinitionService {
  return { check: checkDefinition, fetch: (address) => fetchDefinition(fetch, address) }
}

export function checkDefinition(source: string): Result<CheckedDefinition, readonly PlacedFault[]> {
  const read = readYaml(source, { schema: 'failsafe', bytesMax: definitionBytesMax, faultsMax: definitionFaultsMax })
  if (!read.ok) return read
  const { value: tree, lineOf } = read.value
  if (!isTree(tree, 0))
    return failWith([{ rule: 'shape', path: [], detail: 'texts, lists and tables are expected', line: undefined }])
  const compiled = compileDefinition(tree, { isSelector: isPageSelector }, definitionFaultsMax)
  if (compiled.ok) return succeed(checkedDefinition(compiled.value, tree, siteIntervalMsMax))
  return failWith(compiled.failure.map((fault) => ({ ...fault, line: lineOf(fault.path) })))
}

function isTree(value: unknown, depth: number): value is Tree {
  if (typeof value === 'string') return true
  if (typeof value !== 'object' || value === null || depth > definitionDepthMax) return false
  return Object.values(value).every((one) => isTree(one, depth + 1))
}

async function fetchDefinition(
  fetch: (address: string, init: RequestInit) => Promise<Response>,
  address: string,
): Promise<string | undefined> {
  const signal = AbortSignal.timeout(definitionFetchMs)
  let url = new URL(address)
  try {
    for (let redirects = 0; redirects <= siteRedirectsMax; redirects += 1) {
      const response = await fetch(url.href, {
        redirect: 'manual',
        signal,
        headers: { accept: 'text/yaml, text/plain, */*', 'user-agent': 'wharf' },
      })
      const location = response.headers.get('location')
      if (!redirectStatuses.has(response.status) || location === null) {
        if (!response.ok) return undefined
        const bytes = await readBytes(response, definitionBytesMax, signal)
        return bytes === undefined ? undefined : new TextDecoder().decode(bytes)
      }
      await response.body?.cancel()
      const next = URL.canParse(location, url.href) ? new URL(location, url) : undefined
      if (next === undefined || !/^https?:$/.test(next.protocol)) return undefined
      // The owner chose one place; it may become safer on the way, and leads nowhere inside that it is not itself.
      if (next.hostname !== url.hostname && !isPublicName(next.hostname)) return undefined
      if (url.protocol === 'https:' && next.protocol !== 'https:') return undefined
      url = next
    }
  } catch {
    return undefined
  }
  return undefined
}
