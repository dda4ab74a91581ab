/** The compiler of TypeScript that comes along. A project's own is a stranger's code, and never loaded. */
import { createRequire } from 'node:module'
import path from 'node:path'
import type ts from 'typescript'
import { builtCompiler } from '../../../bin/installation.mjs'

export type Compiler = typeof ts

const require = createRequire(import.meta.url)
const file = builtCompiler ?? require.resolve('typescript')

/** Where its own libraries lie. */
export const librariesFolder = path.dirname(file)

/** Loading it takes a third of a second. */
export function loadCompiler(): Compiler {
  return require(file)
}
