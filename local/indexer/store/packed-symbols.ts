/** Symbols of a file as numbers: of what few of them have, a bit each says whether it follows. */
import type { Symbol as CodeSymbol, Heritage } from '../core/facts.ts'
import type { PartReader, PartWriter } from '../core/part-table.ts'
import { nodeKinds } from '../core/vocabulary.ts'
import { type NumberReader, type NumberWriter, none } from './number-bytes.ts'

const has = {
  ...{ exported: 1, async: 2, static: 4, abstract: 8, accessor: 16 },
  ...{ doc: 32, signature: 64, visibility: 128, decorators: 256, typeParameters: 512, returnType: 1024 },
  ...{ value: 2048, type: 4096, result: 8192, parameterTypes: 16_384, heritage: 32_768, attachedTo: 65_536 },
  takes: 131_072,
} as const

export function packSymbol(
  symbol: CodeSymbol,
  symbols: readonly CodeSymbol[],
  parts: PartWriter,
  to: NumberWriter,
): void {
  const { kind, name, qualifiedName, parent, line, col, endLine, endCol } = symbol
  const { exported, async, static: isStatic, abstract, accessor } = symbol
  const { doc, signature, visibility, returnType, attachedTo, decorators, typeParameters } = symbol
  const { value, type, result, parameterTypes, takes, heritage } = symbol
  // By name and not in a loop: looking each up by a name that changes took a tenth of what packing costs.
  let bits = 0
  if (exported !== undefined) bits |= has.exported
  if (async !== undefined) bits |= has.async
  if (isStatic !== undefined) bits |= has.static
  if (abstract !== undefined) bits |= has.abstract
  if (accessor !== undefined) bits |= has.accessor
  if (doc !== undefined) bits |= has.doc
  if (signature !== undefined) bits |= has.signature
  if (visibility !== undefined) bits |= has.visibility
  if (decorators !== undefined) bits |= has.decorators
  if (typeParameters !== undefined) bits |= has.typeParameters
  if (returnType !== undefined) bits |= has.returnType
  if (value !== undefined) bits |= has.value
  if (type !== undefined) bits |= has.type
  if (result !== undefined) bits |= has.result
  if (parameterTypes !== undefined) bits |= has.parameterTypes
  if (takes !== undefined) bits |= has.takes
  if (heritage !== undefined) bits |= has.heritage
  if (attachedTo !== undefined) bits |= has.attachedTo
  to.put(nodeKinds.indexOf(kind))
  to.put(parts.name(name))
  to.put(parent)
  to.put(qualifiedName === nameWithin(symbols[parent], parent, name) ? none : parts.name(qualifiedName))
  to.put(line)
  to.put(col)
  to.put(endLine)
  to.put(endCol)
  to.put(bits)
  if (doc !== undefined) to.put(parts.name(doc))
  if (signature !== undefined) to.put(parts.name(signature))
  if (visibility !== undefined) to.put(parts.name(visibility))
  if (returnType !== undefined) to.put(parts.name(returnType))
  if (attachedTo !== undefined) to.list(attachedTo.map(parts.name))
  if (decorators !== undefined) to.list(decorators.map(parts.name))
  if (typeParameters !== undefined) to.list(typeParameters.map(parts.name))
  if (value !== undefined) to.put(parts.value(value))
  if (type !== undefined) to.put(parts.type(type))
  if (result !== undefined) to.put(parts.value(result))
  if (parameterTypes !== undefined) to.list(parameterTypes.map((one) => (one === null ? none : parts.type(one))))
  if (takes !== undefined) to.put(takes)
  if (heritage === undefined) return
  to.put(heritage.length)
  for (const one of heritage) {
    to.put(parts.value(one.value))
    to.put(one.relation === 'extends' ? 0 : 1)
    to.put(one.line)
    to.put(one.col)
    to.put(parts.name(one.name))
    to.optionalList(one.args?.map(parts.type))
  }
}

/** `before`: the symbols that were written before it. */
export function unpackSymbol(from: NumberReader, parts: PartReader, before: readonly CodeSymbol[]): CodeSymbol {
  const { next } = from
  const kind = nodeKinds[next()]
  if (kind === undefined) throw new Error('no kind of symbol has that number')
  const name = parts.name(next())
  const parent = next()
  const qualified = next()
  const qualifiedName = qualified === none ? nameWithin(before[parent], parent, name) : parts.name(qualified)
  const symbol: CodeSymbol = {
    ...{ kind, name, qualifiedName, parent },
    ...{ line: next(), col: next(), endLine: next(), endCol: next() },
  }
  const bits = next()
  const text = (): string => parts.name(next())
  if ((bits & has.exported) !== 0) symbol.exported = true
  if ((bits & has.async) !== 0) symbol.async = true
  if ((bits & has.static) !== 0) symbol.static = true
  if ((bits & has.abstract) !== 0) symbol.abstract = true
  if ((bits & has.accessor) !== 0) symbol.accessor = true
  if ((bits & has.doc) !== 0) symbol.doc = text()
  if ((bits & has.signature) !== 0) symbol.signature = text()
  if ((bits & has.visibility) !== 0) symbol.visibility = text()
  if ((bits & has.returnType) !== 0) symbol.returnType = text()
  if ((bits & has.attachedTo) !== 0) symbol.attachedTo = from.list(text)
  if ((bits & has.decorators) !== 0) symbol.decorators = from.list(text)
  if ((bits & has.typeParameters) !== 0) symbol.typeParameters = from.list(text)
  if ((bits & has.value) !== 0) symbol.value = parts.value(next())
  if ((bits & has.type) !== 0) symbol.type = parts.type(next())
  if ((bits & has.result) !== 0) symbol.result = parts.value(next())
  if ((bits & has.parameterTypes) !== 0)
    symbol.parameterTypes = from.list(() => {
      const place = next()
      return place === none ? null : parts.type(place)
    })
  if ((bits & has.takes) !== 0) symbol.takes = next()
  if ((bits & has.heritage) !== 0) symbol.heritage = from.list(() => unpackHeritage(from, parts))
  return symbol
}

function unpackHeritage(from: NumberReader, parts: PartReader): Heritage {
  const { next } = from
  const value = parts.value(next())
  const relation = next() === 0 ? 'extends' : 'implements'
  const heritage = { value, relation, line: next(), col: next(), name: parts.name(next()) } as const
  const args = from.optionalList(() => parts.type(next()))
  return args === undefined ? heritage : { ...heritage, args }
}

/** What a symbol is called with all that it lies in, where nothing says otherwise. */
function nameWithin(holder: CodeSymbol | undefined, parent: number, name: string): string {
  return parent === 0 || holder === undefined ? name : `${holder.qualifiedName}::${name}`
}
