/** Reads package.json, tsconfig.json, go.mod, Cargo.toml and C#'s project files: what they say about how names in the source resolve. */
import { createHash } from 'node:crypto'
import path from 'node:path'
import { readSmallFile } from '../../git/find-repository.ts'
import { fileBytesMax } from '../limits.ts'
import type { ProjectSettings } from '../resolve/modules.ts'
import type { RustCrate } from '../resolve/rust-modules.ts'
import { folderOf, join, normalise, type PackageFact, type PathAliases } from '../resolve/script-modules.ts'
import type { ProjectUsings } from '../resolve/tree-modules.ts'
import { rustCrate } from './cargo-manifest.ts'

const extendsDepthMax = 5

export interface ReadSettings {
  readonly settings: ProjectSettings
  /** Changes when any of the files read changes. */
  readonly hash: string
}

export function readProjectSettings(root: string, files: readonly string[]): ReadSettings {
  const hash = createHash('sha256')
  const packages: PackageFact[] = []
  const aliases: PathAliases[] = []
  const goModules: { folder: string; path: string }[] = []
  const crates: RustCrate[] = []
  const usings: ProjectUsings[] = []
  for (const file of [...files].sort()) {
    const text = read(root, file)
    if (text === undefined) continue
    hash.update(file).update('\0').update(text).update('\0')
    const base = file.slice(file.lastIndexOf('/') + 1)
    if (base === 'package.json') packages.push(...packageFact(folderOf(file), text))
    else if (base === 'go.mod') {
      const module = /^module\s+(\S+)/m.exec(text)?.[1]
      if (module !== undefined) goModules.push({ folder: folderOf(file), path: module })
    } else if (base === 'Cargo.toml') crates.push(...rustCrate(folderOf(file), text))
    else if (/\.(csproj|props|targets)$/.test(base)) usings.push({ folder: folderOf(file), namespaces: openedBy(text) })
    else if (base === 'tsconfig.json' || base === 'jsconfig.json') {
      const found = pathAliases(root, file, 0)
      if (found !== undefined) aliases.push({ ...found, folder: folderOf(file) })
    }
  }
  return { settings: { packages, aliases, goModules, crates, usings }, hash: hash.digest('hex') }
}

function read(root: string, file: string): string | undefined {
  return readSmallFile(path.join(root, file), fileBytesMax)
}

/** `<Using Include="…" />`; one with an alias opens nothing. */
function openedBy(text: string): string[] {
  const written = text.replace(/<!--[\s\S]*?-->/g, '')
  return [...written.matchAll(/<Using\s([^>]*)>/g)].flatMap(([, said = '']) => {
    const name = /\bInclude\s*=\s*"([^"]*)"/.exec(said)?.[1] ?? ''
    return name === '' || /\bAlias\s*=/.test(said) ? [] : name.split(';').map((one) => one.trim())
  })
}

function packageFact(folder: string, text: string): PackageFact[] {
  const parsed = parseLoose(text)
  if (parsed === undefined) return []
  const names = (key: string): string[] => {
    const table = parsed[key]
    return typeof table === 'object' && table !== null ? Object.keys(table) : []
  }
  return [
    {
      folder,
      name: typeof parsed['name'] === 'string' ? parsed['name'] : '',
      exports: parsed['exports'],
      imports: parsed['imports'],
      main:
        typeof parsed['module'] === 'string'
          ? parsed['module']
          : typeof parsed['main'] === 'string'
            ? parsed['main']
            : '',
      dependencies: [...names('dependencies'), ...names('devDependencies'), ...names('peerDependencies')],
    },
  ]
}

function pathAliases(root: string, file: string, depth: number): PathAliases | undefined {
  const text = read(root, file)
  const parsed = text === undefined ? undefined : parseLoose(text)
  if (parsed === undefined) return undefined
  const options = parsed['compilerOptions'] as Record<string, unknown> | undefined
  const folder = folderOf(file)
  const baseUrl = typeof options?.['baseUrl'] === 'string' ? options['baseUrl'] : undefined
  const paths = options?.['paths']
  let inherited: PathAliases | undefined
  const parents = (Array.isArray(parsed['extends']) ? parsed['extends'] : [parsed['extends']]).filter(
    (one) => typeof one === 'string' && one.startsWith('.'),
  )
  if (depth < extendsDepthMax) {
    for (const parent of parents) {
      const target = normalise(
        join(folder, String(parent).endsWith('.json') ? String(parent) : `${String(parent)}.json`),
      )
      if (target !== undefined) inherited = pathAliases(root, target, depth + 1) ?? inherited
    }
  }
  const own = typeof paths === 'object' && paths !== null ? readPaths(paths as Record<string, unknown>) : undefined
  if (own === undefined && baseUrl === undefined) {
    if (inherited === undefined) return undefined
    // Inherited paths stay relative to the file that wrote them.
    return inherited
  }
  const rebased = Object.fromEntries(
    Object.entries(own ?? {}).map(([key, targets]) => [
      key,
      targets.map((one) => join(folder, join(baseUrl ?? '.', one))),
    ]),
  )
  return {
    folder: '',
    baseUrl: baseUrl === undefined ? inherited?.baseUrl : join(folder, baseUrl),
    paths: own === undefined ? (inherited?.paths ?? {}) : rebased,
  }
}

function readPaths(table: Record<string, unknown>): Record<string, string[]> {
  const found: Record<string, string[]> = {}
  for (const [key, targets] of Object.entries(table)) {
    if (Array.isArray(targets)) found[key] = targets.filter((one) => typeof one === 'string')
  }
  return found
}

/** JSON with comments and trailing commas, as tsconfig files are written. */
function parseLoose(text: string): Record<string, unknown> | undefined {
  let plain = ''
  for (let at = 0; at < text.length; at += 1) {
    const char = text.charAt(at)
    if (char === '"') {
      const start = at
      at += 1
      while (at < text.length && text[at] !== '"') at += text[at] === '\\' ? 2 : 1
      plain += text.slice(start, at + 1)
    } else if (char === '/' && text[at + 1] === '/') {
      while (at + 1 < text.length && text[at + 1] !== '\n') at += 1
    } else if (char === '/' && text[at + 1] === '*') {
      const end = text.indexOf('*/', at + 2)
      at = end === -1 ? text.length : end + 1
    } else if (char === ',') {
      const rest = /^(?:\s|\/\/[^\n]*\n|\/\*[\s\S]*?\*\/)*[}\]]/.test(text.slice(at + 1, at + 2000))
      if (!rest) plain += char
    } else plain += char
  }
  try {
    const parsed: unknown = JSON.parse(plain.replace(/^\uFEFF/, ''))
    return typeof parsed === 'object' && parsed !== null ? (parsed as Record<string, unknown>) : undefined
  } catch {
    return undefined
  }
}
