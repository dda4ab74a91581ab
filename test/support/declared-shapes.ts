/** What a client package declares that a request may be, read by the compiler from the package's own types. */
import path from 'node:path'
import { fileURLToPath } from 'node:url'
import ts from 'typescript'

export type Shape =
  | { readonly kind: 'literal'; readonly value: string | number | boolean | null }
  | { readonly kind: 'string' | 'number' | 'any' }
  | { readonly kind: 'list' | 'record'; readonly of: () => Shape }
  | { readonly kind: 'union'; readonly of: readonly Shape[] }
  | { readonly kind: 'object'; readonly members: readonly Member[] }

export interface Member {
  readonly name: string
  readonly isOptional: boolean
  readonly shape: () => Shape
}

const folderOf = (name: string) => path.dirname(fileURLToPath(import.meta.resolve(name)))

/** The shapes of types, each written as it is imported: `OpenAI.ChatCompletionCreateParamsNonStreaming`. */
export function declaredShapes<Name extends string>(
  types: Readonly<Record<Name, string>>,
): Readonly<Record<Name, Shape>> {
  const file = path.resolve(import.meta.dirname, 'declared-requests-of-clients.ts')
  const names = Object.keys(types) as Name[]
  const source = [
    `import type OpenAI from ${JSON.stringify(path.join(folderOf('openai'), 'index.js'))}`,
    `import type Anthropic from ${JSON.stringify(path.join(folderOf('@anthropic-ai/sdk'), 'index.js'))}`,
    ...names.map((name) => `export type ${name} = ${types[name]}`),
  ].join('\n')
  const options: ts.CompilerOptions = {
    strict: true,
    skipLibCheck: true,
    target: ts.ScriptTarget.ES2022,
    module: ts.ModuleKind.Preserve,
  }
  const host = ts.createCompilerHost(options)
  const read = host.getSourceFile.bind(host)
  host.getSourceFile = (name, version) =>
    name === file ? ts.createSourceFile(name, source, version) : read(name, version)
  const program = ts.createProgram([file], options, host)
  const checker = program.getTypeChecker()
  const sourceFile = program.getSourceFile(file)
  if (sourceFile === undefined) throw new Error('the types could not be read')
  const known = new Map<ts.Type, Shape>()
  const shapes = sourceFile.statements.filter(ts.isTypeAliasDeclaration).map((alias) => {
    const type = checker.getTypeAtLocation(alias)
    return [alias.name.text, shapeOf(type)] as const
  })
  return Object.fromEntries(shapes) as Record<Name, Shape>

  function shapeOf(type: ts.Type): Shape {
    const before = known.get(type)
    if (before !== undefined) return before
    const shape = madeOf(type)
    known.set(type, shape)
    return shape
  }

  function madeOf(type: ts.Type): Shape {
    if (type.isStringLiteral() || type.isNumberLiteral()) return { kind: 'literal', value: type.value }
    if (type.flags & ts.TypeFlags.BooleanLiteral)
      return { kind: 'literal', value: checker.typeToString(type) === 'true' }
    if (type.flags & ts.TypeFlags.Null) return { kind: 'literal', value: null }
    if (type.flags & ts.TypeFlags.String) return { kind: 'string' }
    if (type.flags & ts.TypeFlags.Number) return { kind: 'number' }
    // A text of any kind beside known ones is declared as `string & {}`.
    if (type.isIntersection() && type.types.some((one) => one.flags & ts.TypeFlags.String)) return { kind: 'string' }
    if (type.isUnion()) {
      const some = type.types.filter((one) => (one.flags & ts.TypeFlags.Undefined) === 0)
      return { kind: 'union', of: some.map(shapeOf) }
    }
    if (checker.isArrayType(type)) {
      const [item] = checker.getTypeArguments(type as ts.TypeReference)
      return item === undefined ? { kind: 'any' } : { kind: 'list', of: () => shapeOf(item) }
    }
    const index = checker.getIndexInfoOfType(type, ts.IndexKind.String)
    if (index !== undefined) return { kind: 'record', of: () => shapeOf(index.type) }
    const properties = checker.getPropertiesOfType(type)
    if (properties.length === 0) return { kind: 'any' }
    return {
      kind: 'object',
      members: properties.map((property) => ({
        name: property.name,
        isOptional: (property.flags & ts.SymbolFlags.Optional) !== 0,
        shape: () => shapeOf(checker.getNonNullableType(checker.getTypeOfSymbol(property)) as ts.Type),
      })),
    }
  }
}
