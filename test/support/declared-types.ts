/**
 * Whether answers that were really given have the types that a client package declares for them. The package has types
 * alone, so the answers are written into a program as literals and the compiler is asked.
 */
import { spawnSync } from 'node:child_process'
import { mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import path from 'node:path'
import { fileURLToPath } from 'node:url'

export interface GivenAnswer {
  readonly method: string
  /** Path of the request, without a query. */
  readonly path: string
  readonly status: number
  readonly json: string
}

const compiler = path.resolve(import.meta.dirname, '../../node_modules/typescript-native/bin/tsc')
const declarations = path.join(
  path.dirname(fileURLToPath(import.meta.resolve('@opencode-ai/sdk/v2'))),
  'gen',
  'types.gen.d.ts',
)

/** At one address the operations have names that end alike; one that reads ends in something else. */
const methodsByEnding = { Create: 'POST', Update: 'PUT', Remove: 'DELETE' } as const

function methodOf(name: string): string {
  return Object.entries(methodsByEnding).find(([ending]) => name.endsWith(ending))?.[1] ?? 'GET'
}

/** Operations of the client by address. */
function declaredOperations(): { readonly name: string; readonly address: RegExp }[] {
  const text = readFileSync(declarations, 'utf8')
  const found = text.matchAll(/export type (\w+)Data = \{(?:(?!export type)[\s\S])*?url: "(\/api\/[^"]+)"/g)
  return [...found].map(([, name = '', url = '']) => ({
    name,
    address: new RegExp(`^${url.replaceAll(/\{\w+\}/g, '(?!active$)[^/]+')}$`),
  }))
}

/** What the compiler says against the answers, one line each; and how many were judged. */
export function judgeAnswers(answers: readonly GivenAnswer[]): { readonly judged: number; readonly faults: string[] } {
  const operations = declaredOperations()
  const literals = answers.flatMap(({ method, path: address, status, json }): readonly Literal[] => {
    const fitting = operations.filter((operation) => operation.address.test(address))
    const operation = fitting.find(({ name }) => fitting.length === 1 || methodOf(name) === method)
    if (operation === undefined) return []
    const type = `declared.${operation.name}${status < 400 ? 'Responses' : 'Errors'}[${status}]`
    return [{ type, json, label: `${method} ${address} ${status}` }]
  })
  const prelude = [
    `import type * as declared from ${JSON.stringify(declarations.replace(/\.d\.ts$/, '.js'))}`,
    'type Plain<T> = T extends object ? { -readonly [K in keyof T]: Plain<T[K]> } : T',
    'const exact = <const T>(value: T) => value as Plain<T>',
  ]
  const faults = judgeLiterals(
    prelude,
    literals,
    ({ type, json }, name) => `export const ${name}: ${type} = exact(${json})`,
  )
  return { judged: literals.length, faults }
}

export interface Literal {
  readonly type: string
  readonly json: string
  /** What a fault is told with. */
  readonly label: string
}

/** What the compiler says against values that are to have types, one line each. */
export function judgeLiterals(
  prelude: readonly string[],
  literals: readonly Literal[],
  written: (literal: Literal, name: string) => string,
): string[] {
  const lines = literals.map((literal, index) => written(literal, `answer${index}`))
  const folder = mkdtempSync(path.join(tmpdir(), 'declared-types-'))
  try {
    const file = path.join(folder, 'answers.ts')
    writeFileSync(file, [...prelude, ...lines].join('\n'))
    const options =
      '--ignoreConfig --noEmit --strict --skipLibCheck --target es2022 --module preserve --pretty false'.split(' ')
    const { stdout, status } = spawnSync(process.execPath, [compiler, ...options, file], {
      encoding: 'utf8',
      maxBuffer: 64 * 1024 * 1024,
    })
    const faults = stdout
      .split('\n')
      .filter((line) => line.includes('error TS'))
      .map((line) => {
        const literal = literals[Number(/\((\d+),/.exec(line)?.[1] ?? 0) - prelude.length - 1]
        return `${literal?.label}: ${line.slice(line.indexOf('error TS'))}`
      })
    if (status !== 0 && faults.length === 0) faults.push(`the compiler failed: ${stdout}`)
    return faults
  } finally {
    rmSync(folder, { recursive: true, force: true })
  }
}
