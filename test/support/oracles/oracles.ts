/** Compilers that say what each name of a project means, each in its language; of some only where the machine has them. */
import { spawnSync } from 'node:child_process'
import { cpSync, existsSync, mkdtempSync, readdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import os from 'node:os'
import path from 'node:path'
import type { ScipDocument, ScipIndex, ScipOccurrence } from '../../../local/indexer/core/compiler-index.ts'
import type { Language } from '../../../local/indexer/core/vocabulary.ts'
import { readScip } from '../../../local/indexer/scip/scip-index.ts'
import { usesOfRust } from './uses-of-rust.ts'
import { usesOfTypeScript } from './uses-of-typescript.ts'

/** `more` is what the compiler is given beside the folder: where packages or headers lie. */
type Oracle = (root: string, more: readonly string[]) => ScipIndex

/** What is not on the machine, with the name of it. */
export class MissingOracleError extends Error {}

const here = import.meta.dirname
/** The system's own, whose packages bring clang. */
const python = '/usr/bin/python3'
const outputBytesMax = 1024 * 1024 * 1024
const oracleMsMax = 1_200_000

export const oracles = {
  typescript: (root) => usesOfTypeScript(root),
  python: (root, more) => usesOfPython(root, more),
  go: (root) => told('go/types', 'utf8', run('go', ['run', path.join(here, 'uses-of-go.go'), root], os.tmpdir())),
  java: (root) => {
    // What runs programs may be there without what compiles them.
    need('javac', ['-version'])
    return told('javac', 'utf16', run('java', [path.join(here, 'UsesOfJava.java'), root], os.tmpdir()))
  },
  c: (root, more) => told('clang', 'utf8', usesOfClang(root, 'c', more)),
  cpp: (root, more) => told('clang', 'utf8', usesOfClang(root, 'cpp', more)),
  php: (root) => {
    need('sh', ['-c', 'command -v intelephense'], 'intelephense')
    return told('intelephense', 'utf16', run(process.execPath, [path.join(here, 'uses-of-php.ts'), root], os.tmpdir()))
  },
  ruby: (root, more) => told('Ruby', 'utf8', usesOfRuby(root, more)),
  csharp: (root) => told('Roslyn', 'utf16', usesOfCSharp(root)),
  rust: (root, more) => {
    need('cargo', ['--version'])
    return told('rustc', 'utf32', usesOfRust(root, more))
  },
} satisfies Readonly<Partial<Record<Language, Oracle>>>
export type JudgedLanguage = keyof typeof oracles

/**
 * The index of pyright. It names modules by their paths where they are defined and by what they are imported as where they are
 * used, tells the further forms of a function as uses of it, gives some names of a module another symbol than it defines, and
 * the functions inside of functions of a class one symbol if they share a name: what is of a module of the project and is
 * defined nowhere, or more than once, says nothing. Nor does a class where another name is written: so it calls a field that is
 * in `__slots__`.
 */
function usesOfPython(root: string, more: readonly string[]): ScipIndex {
  const folder = mkdtempSync(path.join(os.tmpdir(), 'wharf-truth-'))
  const file = path.join(folder, 'index.scip')
  const packages = path.join(folder, 'packages.json')
  try {
    writeFileSync(packages, '[]')
    const told = ['--project-name', 'judged', '--project-version', '0', '--output', file, '--environment', packages]
    run('scip-python', ['index', ...told, '--quiet', ...more], root)
    const scip = readScip(readFileSync(file))
    const all = scip.documents.flatMap(({ occurrences }) => occurrences)
    const defined = new Set<string>()
    const ambiguous = new Set<string>()
    for (const { isDefinition, symbol } of all)
      if (isDefinition) (defined.has(symbol) ? ambiguous : defined).add(symbol)
    const modules = new Map<string, string>()
    for (const symbol of defined) {
      const parts = moduleOf(symbol).split('.')
      for (let from = parts.length - 1; from >= 0; from -= 1) modules.set(parts.slice(from).join('.'), parts.join('.'))
    }
    const documents = scip.documents.map((document) => {
      const lines = readFileSync(path.join(root, document.path), 'utf8').split('\n')
      const occurrences = document.occurrences.flatMap((one): ScipOccurrence[] => {
        if (one.isDefinition || one.symbol.startsWith('local ')) return [one]
        if (/\b(def|class)\s+$/.test((lines[one.line] ?? '').slice(0, one.col))) return []
        const own = modules.get(moduleOf(one.symbol))
        if (own === undefined) return [one]
        const type = /(\w+)#$/.exec(one.symbol)?.[1]
        if (type !== undefined && !(lines[one.line] ?? '').slice(one.col, one.endCol).startsWith(type)) return []
        const symbol = one.symbol.replace(/^.*?`[^`]*`/, `scip-python python judged 0 \`${own}\``)
        return defined.has(symbol) && !ambiguous.has(symbol) ? [{ ...one, symbol }] : []
      })
      return { ...document, occurrences }
    })
    return { ...scip, documents }
  } finally {
    rmSync(folder, { recursive: true, force: true })
  }
}

function moduleOf(symbol: string): string {
  return /`([^`]*)`/.exec(symbol)?.[1] ?? ''
}

function usesOfClang(root: string, language: string, more: readonly string[]): string {
  need(python, ['-c', 'from clang.cindex import Index; Index.create()'], 'clang for Python')
  return run(python, [path.join(here, 'uses_of_clang.py'), root, language, ...more], root)
}

/** What a program of the project, such as its tests, calls while it runs; `more` is what ruby is given. Tests may fail. */
function usesOfRuby(root: string, more: readonly string[]): string {
  need('ruby', ['--version'])
  const folder = mkdtempSync(path.join(os.tmpdir(), 'wharf-truth-'))
  const trace = path.join(folder, 'trace')
  try {
    const { stderr } = spawnSync('ruby', ['-r', path.join(here, 'uses_of_ruby.rb'), ...more], {
      cwd: root,
      encoding: 'utf8',
      maxBuffer: outputBytesMax,
      timeout: oracleMsMax,
      env: { ...process.env, TRUTH_TRACE: trace },
    })
    if (!existsSync(trace)) throw new Error(`ruby: ${stderr.slice(0, 2000)}`)
    return readFileSync(trace, 'utf8')
  } finally {
    rmSync(folder, { recursive: true, force: true })
  }
}

/**
 * Roslyn is no package of a system. `TRUTH_ROSLYN` is the folder of any program of .NET that brings its runtime, with Roslyn's
 * assemblies laid beside it: what starts that program starts in a copy of the folder what stands under its name there.
 */
function usesOfCSharp(root: string): string {
  const home = process.env['TRUTH_ROSLYN']
  const settings = '.runtimeconfig.json'
  const files = home === undefined ? [] : readdirSync(home)
  const program = files.find((one) => one.endsWith(settings))?.slice(0, -settings.length)
  if (home === undefined || program === undefined) throw new MissingOracleError('Roslyn (TRUTH_ROSLYN)')
  need('mcs', ['--version'])
  const folder = mkdtempSync(path.join(os.tmpdir(), 'wharf-truth-'))
  try {
    const isOwn = (one: string): boolean => one === path.join(home, `${program}.dll`) || one.endsWith('.deps.json')
    cpSync(home, folder, { recursive: true, filter: (one) => !isOwn(one) })
    const system = ['.Private.CoreLib', '.Runtime', '.Linq', '.Collections', '.Collections.Immutable']
    const parts = [...system.map((one) => `System${one}`), 'Microsoft.CodeAnalysis', 'Microsoft.CodeAnalysis.CSharp']
    const compiled = ['-nostdlib', '-noconfig', ...parts.map((one) => `-r:${one}.dll`), `-out:${program}.dll`]
    run('mcs', [...compiled, path.join(here, 'RunCSharp.cs')], folder)
    return run(path.join(folder, program), [path.join(here, 'UsesOfCSharp.cs'), root], os.tmpdir())
  } finally {
    rmSync(folder, { recursive: true, force: true })
  }
}

function need(program: string, args: readonly string[], name = program): void {
  if (spawnSync(program, args, { stdio: 'ignore' }).status !== 0) throw new MissingOracleError(name)
}

function run(program: string, args: readonly string[], cwd: string): string {
  const { stdout, stderr, status, error } = spawnSync(program, args, {
    cwd,
    encoding: 'utf8',
    maxBuffer: outputBytesMax,
    timeout: oracleMsMax,
    env: { ...process.env, GO111MODULE: 'off', CGO_ENABLED: '0' },
  })
  if (error !== undefined && 'code' in error && error.code === 'ENOENT') throw new MissingOracleError(program)
  if (error !== undefined || status !== 0) throw new Error(`${program}: ${error?.message ?? stderr.slice(0, 2000)}`)
  return stdout
}

/** Lines of tabs: file, line and columns from 0, what is meant, and whether it is defined, imported or used. */
export function told(tool: string, columns: ScipDocument['columns'], lines: string): ScipIndex {
  const files = new Map<string, ScipOccurrence[]>()
  for (const one of lines.split('\n')) {
    const [file, line, col, endCol, symbol, role] = one.split('\t')
    if (file === undefined || symbol === undefined) continue
    const at = { line: Number(line), endLine: Number(line), col: Number(col), endCol: Number(endCol) }
    const said = { ...at, symbol, isDefinition: role === 'definition', isImport: role === 'import' }
    const known = files.get(file)
    if (known === undefined) files.set(file, [said])
    else known.push(said)
  }
  const documents = [...files].map(
    ([file, occurrences]): ScipDocument => ({ path: file, language: '', columns, occurrences, symbols: [] }),
  )
  return { tool, toolVersion: '', projectRoot: '', documents }
}
