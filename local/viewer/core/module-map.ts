/** The repository by module: what depends on what, and where files depend on each other in circles. */

import { pushTo } from '#shared/kernel/push-to.ts'
import type { CodeGraph } from '../../indexer/core/code-graph.ts'
import type { EdgeColumns } from '../../indexer/core/columns.ts'
import type { FileRow } from '../../indexer/core/rows.ts'
import { type EdgeKind, edgeKinds, resolutions, uncertainBelow } from '../../indexer/core/vocabulary.ts'
import type { MapAnswer, OfIndex } from '../contract/wire.ts'
import { listOf } from './graph-shapes.ts'
import { compareText } from './search.ts'

const linkKinds = new Set<EdgeKind>([
  'calls',
  'imports',
  'references',
  'instantiates',
  'extends',
  'implements',
  'navigates',
])
const facadeStems = new Set(['index', 'main', 'lib', 'mod', '__init__', 'init'])
const filesListedMax = 40
const topPairsMax = 4
const cyclesShown = 40
const cycleFilesShown = 12
const modulesMin = 4
const modulesMax = 60
const bigModuleFiles = 25
const bigModuleShare = 0.4

export type ModuleMap = OfIndex<MapAnswer>
type MapModule = ModuleMap['modules'][number]
type MapLink = ModuleMap['links'][number]

/** The folder that is meant by what somebody typed. */
export function trimRoot(given: string): string {
  const trimmed = given
    .trim()
    .replace(/^(\.\/)+/, '')
    .replace(/\/+$/, '')
  return trimmed === '.' ? '' : trimmed
}

/** Without tests no file outside of production links to anything, and nothing to it; its module is named all the same. */
export function moduleMap(
  graph: CodeGraph,
  givenRoot: string | undefined,
  givenDepth: number | undefined,
  hasTests = true,
): ModuleMap {
  const root = givenRoot === undefined ? defaultRoot(graph.files) : trimRoot(givenRoot)
  const inside = graph.files.filter((file) => root === '' || file.path.startsWith(`${root}/`))
  const depth = givenDepth ?? defaultDepth(inside, root)
  const moduleOf = bucketsOf(inside, root, depth)
  const isCounted = (file: number): boolean => hasTests || !graph.file(file).isNonProduction
  const between = fileLinksOf(graph).filter(({ from, to }) => isCounted(from) && isCounted(to))
  const { links, dependents } = linksOf(graph, between, moduleOf)
  const modules = modulesOf(inside, moduleOf, root, dependents)
  const cycles = cyclesOf(graph, between, moduleOf)
  return {
    root,
    depth,
    roots: rootsOf(graph.files),
    modules,
    links,
    cycles: {
      total: cycles.length,
      shown: Math.min(cycles.length, cyclesShown),
      truncated: cycles.length > cyclesShown,
      items: cycles.slice(0, cyclesShown),
    },
    excluded: {
      uncertainEdges: graph.uncertainEdges,
      confidenceBelow: uncertainBelow,
    },
  }
}

function rootsOf(files: readonly FileRow[]): ModuleMap['roots'] {
  const counts = new Map<string, number>()
  for (const file of files) {
    const [first = ''] = file.path.split('/')
    if (file.path.includes('/')) counts.set(first, (counts.get(first) ?? 0) + 1)
  }
  const folders = [...counts]
    .map(([root, count]) => ({ root, label: root, files: count }))
    .sort((left, right) => right.files - left.files || compareText(left.root, right.root))
  return [{ root: '', label: 'whole repository', files: files.length }, ...folders]
}

/** The folder that holds most of what is not a test, when one clearly does. */
function defaultRoot(files: readonly FileRow[]): string {
  const symbols = new Map<string, number>()
  let total = 0
  for (const file of files) {
    if (file.isNonProduction) continue
    total += file.nodeCount
    const slash = file.path.indexOf('/')
    if (slash !== -1)
      symbols.set(file.path.slice(0, slash), (symbols.get(file.path.slice(0, slash)) ?? 0) + file.nodeCount)
  }
  const [first, second] = [...symbols].sort((left, right) => right[1] - left[1] || compareText(left[0], right[0]))
  if (first === undefined || first[1] <= total / 2) return ''
  return second !== undefined && second[1] >= total / 5 ? '' : first[0]
}

function defaultDepth(files: readonly FileRow[], root: string): number {
  const total = files.reduce((sum, file) => sum + file.nodeCount, 0)
  const byNumber = new Map(files.map((file) => [file.n, file]))
  for (let depth = 1; depth <= 4; depth += 1) {
    const groups = new Map<string, FileRow[]>()
    for (const [file, id] of bucketsOf(files, root, depth)) {
      const row = byNumber.get(file)
      if (row !== undefined) pushTo(groups, id, row)
    }
    const isTooBig = [...groups.values()].some(
      (group) =>
        group.length >= bigModuleFiles && group.reduce((sum, one) => sum + one.nodeCount, 0) > total * bigModuleShare,
    )
    if (groups.size >= modulesMin && groups.size <= modulesMax && !isTooBig) return depth
    if (groups.size > modulesMax) return Math.max(1, depth - 1)
  }
  return 1
}

/** Module id by file number. */
function bucketsOf(files: readonly FileRow[], root: string, depth: number): Map<number, string> {
  const buckets = new Map<number, string>()
  const foldersWithInner = new Set<string>()
  for (const file of files) {
    const parts = file.path.split('/')
    const inner = root === '' ? parts : parts.slice(root.split('/').length)
    const folders = inner.slice(0, -1)
    const prefix = root === '' ? [] : root.split('/')
    if (folders.length >= depth) {
      const id = [...prefix, ...folders.slice(0, depth)].join('/')
      buckets.set(file.n, id)
      for (let cut = 0; cut < depth; cut += 1) foldersWithInner.add([...prefix, ...folders.slice(0, cut)].join('/'))
    } else {
      const folder = [...prefix, ...folders].join('/')
      const stem = (inner.at(-1) ?? '').replace(/\..*$/, '')
      buckets.set(file.n, facadeStems.has(stem) ? file.path : `${folder === '' ? '' : `${folder}/`}(root files)`)
    }
  }
  // A bucket of loose files that is alone in its folder is the folder.
  const facadeFolders = new Set(
    [...buckets.values()]
      .filter((id) => !id.endsWith('(root files)'))
      .map((id) => id.slice(0, Math.max(0, id.lastIndexOf('/')))),
  )
  for (const [file, id] of buckets) {
    if (!id.endsWith('(root files)')) continue
    const folder = id.slice(0, -'(root files)'.length).replace(/\/$/, '')
    if (folder !== '' && !foldersWithInner.has(folder) && !facadeFolders.has(folder)) buckets.set(file, folder)
  }
  return buckets
}

/** What one file takes from another, over certain edges. */
interface FileLink {
  readonly from: number
  readonly to: number
  count: number
  declared: number
  /** By number of the kind. */
  readonly kinds: Uint32Array
}

function fileLinksOf(graph: CodeGraph): FileLink[] {
  const found = new Map<number, FileLink>()
  const { source, target, kind: kinds } = graph.edges
  const isLink = edgeKinds.map((one) => linkKinds.has(one))
  let link: FileLink | undefined
  for (let edge = 0; edge < source.length; edge += 1) {
    const from = graph.fileOf[source[edge] ?? 0] ?? 0
    const to = graph.fileOf[target[edge] ?? 0] ?? 0
    const kind = kinds[edge] ?? 0
    if (from === to || !isLink[kind] || !graph.isCertain(edge)) continue
    // Edges of one file lie together, and often several of them lead to the same one.
    if (link?.from !== from || link.to !== to) {
      const key = from * (graph.files.length + 1) + to
      link = found.get(key) ?? { from, to, count: 0, declared: 0, kinds: new Uint32Array(edgeKinds.length) }
      found.set(key, link)
    }
    link.count += 1
    link.declared += isDeclared(graph.edges, edge) ? 1 : 0
    link.kinds[kind] = (link.kinds[kind] ?? 0) + 1
  }
  return [...found.values()]
}

const declaringKinds = new Set([edgeKinds.indexOf('extends'), edgeKinds.indexOf('implements')])
const declaringWays = new Set([resolutions.indexOf('import'), resolutions.indexOf('qualified-name')])
const memberWay = resolutions.indexOf('instance-method')

/** Written down in the source as it is, and not found through the type of a value. */
function isDeclared({ kind, how, confidence }: EdgeColumns, edge: number): boolean {
  const way = how[edge] ?? 0
  return (
    declaringWays.has(way) ||
    declaringKinds.has(kind[edge] ?? 0) ||
    (way === memberWay && (confidence[edge] ?? 0) >= 90)
  )
}

interface ModuleLink {
  readonly source: string
  readonly target: string
  count: number
  declared: number
  readonly kinds: Uint32Array
  readonly pairs: { from: string; to: string; count: number; declared: number }[]
}

function linksOf(
  graph: CodeGraph,
  between: readonly FileLink[],
  moduleOf: ReadonlyMap<number, string>,
): { links: MapLink[]; dependents: Map<string, { files: Set<number>; modules: Set<string> }> } {
  const found = new Map<string, ModuleLink>()
  const dependents = new Map<string, { files: Set<number>; modules: Set<string> }>()
  for (const { from, to, count, declared, kinds } of between) {
    const source = moduleOf.get(from)
    const target = moduleOf.get(to)
    if (source === undefined || target === undefined || source === target) continue
    const key = `${source}\n${target}`
    const link: ModuleLink = found.get(key) ?? {
      source,
      target,
      count: 0,
      declared: 0,
      kinds: new Uint32Array(edgeKinds.length),
      pairs: [],
    }
    found.set(key, link)
    link.count += count
    link.declared += declared
    kinds.forEach((times, kind) => {
      link.kinds[kind] = (link.kinds[kind] ?? 0) + times
    })
    link.pairs.push({ from: graph.file(from).path, to: graph.file(to).path, count, declared })
    const row = dependents.get(target) ?? { files: new Set(), modules: new Set() }
    row.files.add(from)
    row.modules.add(source)
    dependents.set(target, row)
  }
  const links = [...found.values()].map((link) => ({
    source: link.source,
    target: link.target,
    count: link.count,
    declared: link.declared,
    byKind: edgeKinds
      .map((kind, at) => ({ kind, count: link.kinds[at] ?? 0 }))
      .filter((one) => one.count > 0)
      .sort((left, right) => right.count - left.count || compareText(left.kind, right.kind)),
    topPairs: link.pairs
      .sort(
        (left, right) =>
          right.declared - left.declared ||
          right.count - left.count ||
          compareText(left.from, right.from) ||
          compareText(left.to, right.to),
      )
      .slice(0, topPairsMax),
  }))
  links.sort((left, right) => compareText(left.source, right.source) || compareText(left.target, right.target))
  return { links, dependents }
}

function modulesOf(
  files: readonly FileRow[],
  moduleOf: ReadonlyMap<number, string>,
  root: string,
  dependents: ReadonlyMap<string, { files: Set<number>; modules: Set<string> }>,
): MapModule[] {
  const groups = new Map<string, FileRow[]>()
  for (const file of files) pushTo(groups, moduleOf.get(file.n) ?? '', file)
  const modules = [...groups].map(([id, group]): MapModule => {
    const languages = new Map<string, number>()
    for (const file of group) languages.set(file.language, (languages.get(file.language) ?? 0) + 1)
    const generated = group.filter((one) => one.isGenerated).map((one) => one.path)
    return {
      id,
      label: root !== '' && id.startsWith(`${root}/`) ? id.slice(root.length + 1) : id,
      files: group.length,
      symbols: group.reduce((sum, one) => sum + one.nodeCount, 0),
      languages: [...languages]
        .map(([language, count]) => ({ language, files: count }))
        .sort((left, right) => right.files - left.files || compareText(left.language, right.language)),
      test: group.filter((one) => one.isNonProduction).length > group.length / 2,
      generated: generated.length === group.length,
      generatedFiles: generated.slice(0, filesListedMax),
      facade: group.length === 1 && group[0]?.path === id,
      fileList: listOf(group.map((one) => one.path).sort(), filesListedMax),
      dependents: { files: dependents.get(id)?.files.size ?? 0, modules: dependents.get(id)?.modules.size ?? 0 },
    }
  })
  return modules.sort((left, right) => compareText(left.id, right.id))
}

/** Files of one folder are one package of Go: they need no import to use one another, and make no circle. */
function isOnePackage(graph: CodeGraph, group: readonly number[]): boolean {
  const folders = new Set(
    group.map((n) => {
      const { language, path } = graph.file(n)
      return language === 'go' ? path.slice(0, path.lastIndexOf('/') + 1) : path
    }),
  )
  return folders.size === 1
}

/** Strongly connected files, by Tarjan's method without recursion. */
function cyclesOf(
  graph: CodeGraph,
  between: readonly FileLink[],
  moduleOf: ReadonlyMap<number, string>,
): { size: number; files: string[]; modules: string[] }[] {
  const next = new Map<number, number[]>()
  for (const { from, to } of between) {
    if (moduleOf.has(from) && moduleOf.has(to)) pushTo(next, from, to)
  }
  const order = new Map<number, number>()
  const low = new Map<number, number>()
  const stack: number[] = []
  const onStack = new Set<number>()
  const groups: number[][] = []
  for (const start of moduleOf.keys()) {
    if (order.has(start)) continue
    const work: { n: number; rest: number[] }[] = [{ n: start, rest: [...(next.get(start) ?? [])] }]
    order.set(start, order.size)
    low.set(start, order.size - 1)
    stack.push(start)
    onStack.add(start)
    while (work.length > 0) {
      const top = work[work.length - 1]
      if (top === undefined) break
      const child = top.rest.pop()
      if (child === undefined) {
        work.pop()
        const parent = work[work.length - 1]
        if (parent !== undefined) low.set(parent.n, Math.min(low.get(parent.n) ?? 0, low.get(top.n) ?? 0))
        if (low.get(top.n) === order.get(top.n)) {
          const group: number[] = []
          for (let one = stack.pop(); one !== undefined; one = stack.pop()) {
            onStack.delete(one)
            group.push(one)
            if (one === top.n) break
          }
          if (group.length > 1 && !isOnePackage(graph, group)) groups.push(group)
        }
      } else if (!order.has(child)) {
        order.set(child, order.size)
        low.set(child, order.size - 1)
        stack.push(child)
        onStack.add(child)
        work.push({ n: child, rest: [...(next.get(child) ?? [])] })
      } else if (onStack.has(child)) low.set(top.n, Math.min(low.get(top.n) ?? 0, order.get(child) ?? 0))
    }
  }
  return groups
    .map((group) => {
      const files = group.map((n) => graph.files[n - 1]?.path ?? '').sort()
      return {
        size: group.length,
        files: files.slice(0, cycleFilesShown),
        modules: [...new Set(group.map((n) => moduleOf.get(n) ?? ''))].sort(),
      }
    })
    .sort((left, right) => right.size - left.size || compareText(left.files[0] ?? '', right.files[0] ?? ''))
}
