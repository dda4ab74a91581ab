/** What values and types of the facts are made of, for whoever walks them. */
import type { Symbol as CodeSymbol, ExportFact, Type, Value } from './facts.ts'

export interface PartVisitor {
  readonly value: (value: Value) => void
  readonly type: (type: Type) => void
}

export function visitValueParts(value: Value, visit: PartVisitor): void {
  switch (value.k) {
    case 'get':
      visit.value(value.o)
      return
    case 'call':
      visit.value(value.f)
      value.a?.forEach(visit.value)
      return
    case 'new':
      visit.value(value.c)
      value.a?.forEach(visit.type)
      return
    case 'is':
      visit.type(value.t)
      return
    case 'await':
    case 'elem':
    case 'arr':
      visit.value(value.v)
      return
    case 'obj':
      value.p.forEach(visit.value)
      value.x?.forEach(visit.value)
      return
    case 'fn':
      if (value.r !== undefined) visit.value(value.r)
      return
    case 'arg':
      visit.value(value.f)
      return
    case 'alt':
      value.v.forEach(visit.value)
      return
    case 'less':
      visit.value(value.v)
      value.ts.forEach(visit.type)
      return
  }
}

export function visitTypeParts(type: Type, visit: PartVisitor): void {
  switch (type.k) {
    case 'ref':
      visit.value(type.v)
      type.a?.forEach(visit.type)
      return
    case 'arr':
      visit.type(type.e)
      return
    case 'obj':
      type.p.forEach(visit.type)
      return
    case 'fn':
      if (type.r !== undefined) visit.type(type.r)
      for (const one of type.ps ?? []) if (one !== null) visit.type(one)
      return
    case 'of':
      visit.value(type.v)
      return
    case 'param':
      if (type.b !== undefined) visit.type(type.b)
      return
    case 'any-of':
    case 'tuple':
      type.ts.forEach(visit.type)
      return
    case 'get':
      visit.type(type.t)
      return
  }
}

/** Everything of a symbol that others can learn by asking what it holds, returns or inherits. */
export function visitSymbolParts(symbol: CodeSymbol, visit: PartVisitor): void {
  if (symbol.value !== undefined) visit.value(symbol.value)
  if (symbol.type !== undefined) visit.type(symbol.type)
  if (symbol.result !== undefined) visit.value(symbol.result)
  for (const one of symbol.parameterTypes ?? []) if (one !== null) visit.type(one)
  for (const one of symbol.heritage ?? []) {
    visit.value(one.value)
    one.args?.forEach(visit.type)
  }
}

export function visitExportParts(fact: ExportFact, visit: PartVisitor): void {
  if ('value' in fact) visit.value(fact.value)
}
