import { isMap, isSeq, LineCounter, type ParsedNode, parseDocument } from 'yaml'
import { failWith, type Result, succeed } from '#shared/kernel/result.ts'
import {
  type CheckedDefinition,
  checkedDefinition,
  type PlacedFault,
} from '../../../core/cardigann/checked-definition.ts'
import { compileDefinition } from '../../../core/cardigann/compile-definition.ts'
import type { Path, Tree } from '../../../core/cardigann/definition-reader.ts'
import { isPublicName } from '../../../core/public-name.ts'
import {
  definitionBytesMax,
  definitionFaultsMax,
  definitionFetchMs,
  siteIntervalMsMax,
  siteRedirectsMax,
} from '../../../limits.ts'
import type { DefinitionDesk } from '../../../ports/site-definitions.ts'
import { readBytes, redirectStatuses } from '../../outside-answer.ts'
import { isPageSelector } from './page-tree.ts'
import { definitionDepthMax, isTangled, nameTwice } from './yaml-shape.ts'

/** `fetch` is the one that reaches whatever the owner may reach. */
export function createDefinitionDesk(fetch: (address: string, init: RequestInit) => Promise<Response>): DefinitionDesk {
  return { check: checkDefinition, fetch: (address) => fetchDefinition(fetch, address) }
}

export function checkDefinition(source: string): Result<CheckedDefinition, readonly PlacedFault[]> {
  if (new TextEncoder().encode(source).byteLength > definitionBytesMax)
    return failWith([{ rule: 'too_large', path: [], detail: `more than ${definitionBytesMax} bytes`, line: undefined }])
  if (isTangled(source)) return failWith([tangled])
  const lines = new LineCounter()
  let document: ReturnType<typeof parseDocument>
  let tree: Tree
  try {
    // Every word stays a text, as the programs have it that definitions are written for: `01` is not 1.
    document = parseDocument(source, {
      schema: 'failsafe',
      lineCounter: lines,
      // The parser compares every name with every other.
      uniqueKeys: false,
      prettyErrors: false,
      logLevel: 'silent',
    })
    if (document.errors.length > 0)
      return failWith(
        document.errors.slice(0, definitionFaultsMax).map(({ code, pos }) => ({
          rule: 'yaml' as const,
          path: [],
          detail: code.toLowerCase().replaceAll('_', ' '),
          line: lines.linePos(pos[0]).line,
        })),
      )
    const twice = nameTwice(document.contents)
    if (twice !== undefined)
      return failWith([{ rule: 'yaml', path: [], detail: 'duplicate key', line: lines.linePos(twice).line }])
    // What is named once and repeated could grow without end.
    tree = document.toJS({ maxAliasCount: aliasesMax + 1 }) as Tree
  } catch {
    return failWith([tangled])
  }
  if (!isTree(tree, 0))
    return failWith([{ rule: 'shape', path: [], detail: 'texts, lists and tables are expected', line: undefined }])
  const compiled = compileDefinition(tree, { isSelector: isPageSelector }, definitionFaultsMax)
  if (compiled.ok) return succeed(checkedDefinition(compiled.value, tree, siteIntervalMsMax))
  return failWith(
    compiled.failure.map((fault) => ({
      ...fault,
      line: lineOf(document.contents as ParsedNode | null, fault.path, lines),
    })),
  )
}

const tangled: PlacedFault = {
  rule: 'yaml',
  path: [],
  detail: 'too deeply nested, or too much repeated',
  line: undefined,
}
/** The parser counts what is repeated itself, too. */
export const aliasesMax = 20

function isTree(value: unknown, depth: number): value is Tree {
  if (typeof value === 'string') return true
  if (typeof value !== 'object' || value === null || depth > definitionDepthMax) return false
  return Object.values(value).every((one) => isTree(one, depth + 1))
}

/** Where a part stands, or the nearest part around it. */
function lineOf(root: ParsedNode | null, path: Path, lines: LineCounter): number | undefined {
  let node: unknown = root
  let offset: number | undefined
  for (const step of path) {
    if (isMap(node)) {
      const pair = node.items.find(({ key }) => String((key as { value?: unknown } | null)?.value ?? key) === step)
      if (pair === undefined) break
      offset = (pair.key as ParsedNode | null)?.range?.[0] ?? offset
      node = pair.value
    } else if (isSeq(node)) {
      node = node.items[Number(step)]
      offset = (node as ParsedNode | undefined)?.range?.[0] ?? offset
    } else break
  }
  return offset === undefined ? undefined : lines.linePos(offset).line
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
