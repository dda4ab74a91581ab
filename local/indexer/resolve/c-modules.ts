/** C and C++: names are known where a header that says them is included, and namespaces are what all files put into them. */
import { pushTo } from '#shared/kernel/push-to.ts'
import type { FileFacts } from '../core/facts.ts'
import { isHeader } from '../core/language-of.ts'
import { type Denotation, type ModuleLookup, outside } from './denotation.ts'
import { FamilyIndex, oneOf } from './family-index.ts'
import type { Place, ProjectFacts } from './project-facts.ts'
import { folderOf, join, normalise } from './script-modules.ts'

/** Of so many files it is kept what they include. */
const keptFilesMax = 64

export function cLookup(project: ProjectFacts): ModuleLookup {
  const index = new FamilyIndex(project, 'c', '::')
  const byBase = new Map<string, number[]>()
  for (const [path, f] of index.byPath) pushTo(byBase, baseOf(path), f)
  const included = (from: string, specifier: string): number | undefined => {
    const written = specifier.replace(/^<|>$/g, '')
    const isOfSystem = written !== specifier
    // Headers of the system have short names, which those of a project may have as well.
    if (isOfSystem && !written.includes('/')) return undefined
    const beside = isOfSystem ? undefined : normalise(join(folderOf(from), written))
    const direct = (beside === undefined ? undefined : index.byPath.get(beside)) ?? index.byPath.get(written)
    if (direct !== undefined) return direct
    return (byBase.get(baseOf(written)) ?? []).find((f) => index.path(f).endsWith(`/${written}`))
  }
  const placeOf = (file: FileFacts): number => index.byPath.get(file.path) ?? 0
  const directives = (file: FileFacts): string[] =>
    file.exports.flatMap((one) => ('from' in one && one.name === '*' ? one.from.slice(2) : []))
  const reached = new Map<FileFacts, { readonly around: ReadonlySet<string>; readonly used: readonly string[] }>()
  const reachedFrom = (from: FileFacts) => {
    let known = reached.get(from)
    if (known === undefined) {
      const headers = from.imports.flatMap((one) => included(from.path, one.specifier) ?? [])
      known = {
        around: new Set(from.symbols.filter((one) => one.kind === 'namespace').map((one) => one.qualifiedName)),
        used: [directives(from), ...headers.map((f) => directives(index.facts(f)))].flat(),
      }
      reached.set(from, known)
    }
    return known
  }
  /** A bare name means what stands in a namespace that the file opens or uses, or in none. */
  const isReached = (from: FileFacts, { f, s }: Place): boolean => {
    const symbol = index.facts(f).symbols[s]
    const namespace = symbol?.qualifiedName.split('::').slice(0, -1).join('::') ?? ''
    if (namespace === '' || symbol?.kind === 'namespace') return true
    const { around, used } = reachedFrom(from)
    return around.has(namespace) || used.some((one) => `::${namespace}`.endsWith(`::${one}`))
  }
  const sights = new Map<FileFacts, ReadonlySet<string>>()
  /** Files that one includes, also through others, without what they end in: what a header only says is in the file beside it. */
  const seenFrom = (from: FileFacts): ReadonlySet<string> => {
    const known = sights.get(from)
    if (known !== undefined) return known
    const files = new Set([placeOf(from)])
    for (const f of files) {
      const file = index.facts(f)
      for (const one of file.imports) {
        const header = included(file.path, one.specifier)
        if (header !== undefined && isHeader(index.path(header))) files.add(header)
      }
    }
    const stems = new Set([...files].map((f) => stemOf(index.path(f))))
    if (sights.size === keptFilesMax) sights.clear()
    sights.set(from, stems)
    return stems
  }
  const oneSeen = (from: FileFacts, all: readonly Place[]): Denotation | undefined => {
    const places = index.visibleFrom(from, all)
    const [first] = places
    if (first === undefined) return undefined
    // Nobody includes what C++ has in a source file: where no header beside it is, something of the system may be meant.
    const { language, path } = index.facts(first.f)
    if (places.length === 1 && (language !== 'cpp' || isHeader(path))) return oneOf(places)
    const seen = seenFrom(from)
    const near = places.filter(({ f }) => seen.has(stemOf(index.path(f))))
    if (near.length > 0 || places.length > 1) return oneOf(near.length > 0 ? near : places)
    return { t: 'either', of: [{ t: 'symbol', ...first }], isPartial: true }
  }
  return {
    module(from, specifier) {
      const f = included(from.path, specifier)
      return f === undefined ? outside : { t: 'module', f }
    },
    free(from, name) {
      const places = index.visibleFrom(from, index.atTop(name)).filter((one) => isReached(from, one))
      const [first] = places
      if (first === undefined) return undefined
      if (index.facts(first.f).symbols[first.s]?.kind !== 'namespace') return oneSeen(from, places)
      const names = new Set(places.map(({ f, s }) => index.facts(f).symbols[s]?.qualifiedName ?? name))
      const found = [...names].map((path): Denotation => ({ t: 'namespace', path, from: placeOf(from) }))
      const [only] = found
      return found.length === 1 ? only : { t: 'either', of: found }
    },
    moduleMember: () => undefined,
    overloads(from, s) {
      const { kind, qualifiedName = '', attachedTo } = from.symbols[s] ?? {}
      // In C there are none.
      const isOfC = from.language !== 'cpp' && !qualifiedName.includes('::')
      if (kind !== 'function' || attachedTo !== undefined || isOfC) return undefined
      const all = index.allQualified(qualifiedName).filter((one) => index.facts(one.f).symbols[one.s]?.kind === kind)
      return all.length < 2 ? undefined : oneSeen(from, all)
    },
    namespaceMember(path, name, from) {
      const full = `${path}::${name}`
      const places = index.allQualified(full)
      if (places.some(({ f, s }) => index.facts(f).symbols[s]?.kind === 'namespace'))
        return { t: 'namespace', path: full, from: placeOf(from) }
      return oneSeen(from, places)
    },
    attached: (from, type, name, fullType) => {
      // Types of one name may stand in several others: what is written out must be the end of what there is, or begin before it.
      const full = `::${fullType}::${name}`
      const own = index.attachedTo(type, name).filter(({ f, s }) => {
        const written = `::${index.facts(f).symbols[s]?.qualifiedName ?? ''}`
        return full.endsWith(written) || written.endsWith(full)
      })
      return oneOf(index.visibleFrom(from, own)) ?? index.qualified(`${type}::${name}`)
    },
  }
}

function baseOf(path: string): string {
  return path.slice(path.lastIndexOf('/') + 1)
}

function stemOf(path: string): string {
  return baseOf(path).replace(/\.\w+$/, '')
}
