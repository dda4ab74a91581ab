/** Which file a script specifier means: relative paths, path aliases, package imports and the project's own packages. */

export interface PackageFact {
  /** Folder of the package.json, '' for the root. */
  readonly folder: string
  readonly name: string
  readonly exports: unknown
  readonly imports: unknown
  readonly main: string
  readonly dependencies: readonly string[]
}

export interface PathAliases {
  /** Folder whose files the aliases hold for. Targets and the base are root-relative. */
  readonly folder: string
  readonly baseUrl: string | undefined
  readonly paths: Readonly<Record<string, readonly string[]>>
}

const extensions = [
  '.ts',
  '.tsx',
  '.mts',
  '.cts',
  '.d.ts',
  '.js',
  '.jsx',
  '.mjs',
  '.cjs',
  '.d.mts',
  '.d.cts',
  '.vue',
  '.svelte',
]
const sourceOfOutput: Readonly<Record<string, readonly string[]>> = {
  '.js': ['.ts', '.tsx', '.d.ts', '.jsx'],
  '.jsx': ['.tsx'],
  '.mjs': ['.mts', '.d.mts'],
  '.cjs': ['.cts', '.d.cts'],
}

export type ModuleTarget =
  | { readonly kind: 'file'; readonly path: string }
  | { readonly kind: 'external' }
  | { readonly kind: 'missing' }
const external: ModuleTarget = { kind: 'external' }
const missing: ModuleTarget = { kind: 'missing' }

export class ScriptModules {
  readonly #files: ReadonlySet<string>
  readonly #packages: readonly PackageFact[]
  readonly #aliases: readonly PathAliases[]
  constructor(files: ReadonlySet<string>, packages: readonly PackageFact[], aliases: readonly PathAliases[]) {
    this.#files = files
    // The nearest folder speaks first.
    this.#packages = [...packages].sort((left, right) => right.folder.length - left.folder.length)
    this.#aliases = [...aliases].sort((left, right) => right.folder.length - left.folder.length)
  }

  /** A query on a specifier is the bundler's own; the file is what stands before it. */
  resolve(from: string, specifier: string): ModuleTarget {
    return this.#fresh(folderOf(from), specifier.replace(/\?.*$/, ''))
  }

  #fresh(folder: string, specifier: string): ModuleTarget {
    if (specifier === '') return missing
    if (specifier.startsWith('.')) {
      const path = normalise(join(folder, specifier))
      const found = path === undefined ? undefined : this.#file(path)
      return found === undefined ? missing : { kind: 'file', path: found }
    }
    if (specifier.startsWith('node:') || specifier.includes('://')) return external
    for (const aliases of this.#aliases) {
      if (!isBelow(folder, aliases.folder)) continue
      const found = this.#aliased(aliases, specifier)
      if (found !== undefined) return { kind: 'file', path: found }
      break
    }
    if (specifier.startsWith('#')) {
      const owner = this.#packages.find((one) => isBelow(folder, one.folder))
      const found = owner === undefined ? undefined : this.#mapped(owner, owner.imports, specifier)
      return found === undefined ? missing : { kind: 'file', path: found }
    }
    const [first = '', second = ''] = specifier.split('/')
    const name = first.startsWith('@') ? `${first}/${second}` : first
    const own = this.#packages.find((one) => one.name === name)
    if (own === undefined) return external
    const rest = specifier.slice(name.length)
    const found = this.#ownPackage(own, `.${rest}`)
    return found === undefined ? external : { kind: 'file', path: found }
  }

  #ownPackage(own: PackageFact, subpath: string): string | undefined {
    if (own.exports !== undefined) {
      const mapped = this.#mapped(
        own,
        typeof own.exports === 'string'
          ? { '.': own.exports }
          : hasSubpaths(own.exports)
            ? own.exports
            : { '.': own.exports },
        subpath,
      )
      if (mapped !== undefined) return mapped
    }
    if (subpath === '.') {
      return (
        (own.main === '' ? undefined : this.#built(join(own.folder, own.main))) ??
        this.#file(join(own.folder, 'src/index')) ??
        this.#file(join(own.folder, 'index'))
      )
    }
    return this.#built(join(own.folder, subpath.slice(2))) ?? this.#file(join(own.folder, `src/${subpath.slice(2)}`))
  }

  #mapped(own: PackageFact, table: unknown, specifier: string): string | undefined {
    if (typeof table !== 'object' || table === null) return undefined
    for (const [pattern, target] of Object.entries(table)) {
      const matched = matchPattern(pattern, specifier)
      if (matched === undefined) continue
      for (const path of conditionTargets(target)) {
        const found = this.#built(normalise(join(own.folder, path.replaceAll('*', matched))) ?? '')
        if (found !== undefined) return found
      }
    }
    return undefined
  }

  /** A target that names build output means the source it is built from. */
  #built(path: string): string | undefined {
    const direct = this.#file(path)
    if (direct !== undefined) return direct
    const source = path.replace(/(^|\/)(dist|lib|build|out|es|esm|cjs)\//, '$1src/')
    if (source === path) return undefined
    return this.#file(source) ?? this.#file(source.replace(/src\/(esm|cjs|es)\//, 'src/'))
  }

  #aliased(aliases: PathAliases, specifier: string): string | undefined {
    for (const [pattern, targets] of Object.entries(aliases.paths)) {
      const matched = matchPattern(pattern, specifier)
      if (matched === undefined) continue
      for (const target of targets) {
        const found = this.#built(normalise(target.replaceAll('*', matched)) ?? '')
        if (found !== undefined) return found
      }
    }
    return aliases.baseUrl === undefined ? undefined : this.#file(normalise(join(aliases.baseUrl, specifier)) ?? '')
  }

  #file(path: string): string | undefined {
    if (this.#files.has(path)) return path
    const dot = path.lastIndexOf('.')
    const outputs = dot === -1 ? undefined : sourceOfOutput[path.slice(dot)]
    for (const extension of outputs ?? []) {
      const candidate = `${path.slice(0, dot)}${extension}`
      if (this.#files.has(candidate)) return candidate
    }
    for (const extension of extensions) if (this.#files.has(`${path}${extension}`)) return `${path}${extension}`
    const inside = path === '' ? 'index' : `${path}/index`
    for (const extension of extensions) if (this.#files.has(`${inside}${extension}`)) return `${inside}${extension}`
    return undefined
  }
}

function hasSubpaths(table: unknown): boolean {
  return typeof table === 'object' && table !== null && Object.keys(table).some((key) => key.startsWith('.'))
}

/** The part of `specifier` that the star stands for; '' without a star. */
function matchPattern(pattern: string, specifier: string): string | undefined {
  const star = pattern.indexOf('*')
  if (star === -1) return pattern === specifier ? '' : undefined
  const head = pattern.slice(0, star)
  const tail = pattern.slice(star + 1)
  if (specifier.length < head.length + tail.length || !specifier.startsWith(head) || !specifier.endsWith(tail))
    return undefined
  return specifier.slice(head.length, specifier.length - tail.length)
}

function conditionTargets(target: unknown): string[] {
  if (typeof target === 'string') return [target]
  if (Array.isArray(target)) return target.flatMap(conditionTargets)
  if (typeof target !== 'object' || target === null) return []
  const table = target as Record<string, unknown>
  const order = ['source', 'development', 'import', 'module', 'node', 'default', 'require', 'types']
  const keys = Object.keys(table).sort((left, right) => rank(order, left) - rank(order, right))
  return keys.flatMap((key) => conditionTargets(table[key]))
}

function rank(order: readonly string[], key: string): number {
  const at = order.indexOf(key)
  return at === -1 ? order.length : at
}

export function folderOf(path: string): string {
  const slash = path.lastIndexOf('/')
  return slash === -1 ? '' : path.slice(0, slash)
}

export function join(folder: string, path: string): string {
  return folder === '' ? path : `${folder}/${path}`
}

function isBelow(folder: string, ancestor: string): boolean {
  return ancestor === '' || folder === ancestor || folder.startsWith(`${ancestor}/`)
}

/** Removes `.` and `..`; undefined when the path leaves the project. */
export function normalise(path: string): string | undefined {
  const kept: string[] = []
  for (const segment of path.split('/')) {
    if (segment === '' || segment === '.') continue
    if (segment === '..') {
      if (kept.pop() === undefined) return undefined
    } else kept.push(segment)
  }
  return kept.join('/')
}
