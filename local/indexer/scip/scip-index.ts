/**
 * An index in the form that compilers' indexers write. Numbers of fields and roles are those of `scip.proto` of
 * sourcegraph/scip at 003102e, and `Document.position_encoding` of its release 0.3.0. What is not needed is passed over.
 */
import type { ScipDocument, ScipIndex, ScipOccurrence, ScipSymbol } from '../core/compiler-index.ts'
import { DamagedMessageError, fieldsOf, MessageWriter, numbersOf, textOf } from './protobuf.ts'

const role = { definition: 1, import: 2 } as const
const columnsOf = [undefined, 'utf8', 'utf16', 'utf32'] as const
const utf8Texts = 1

export function writeScip(index: ScipIndex): Uint8Array {
  const whole = new MessageWriter()
  whole.message(1, (metadata) => {
    metadata.message(2, (tool) => {
      tool.text(1, index.tool)
      tool.text(2, index.toolVersion)
    })
    metadata.text(3, index.projectRoot)
    metadata.number(4, utf8Texts)
  })
  for (const document of index.documents) whole.message(2, (message) => writeDocument(message, document))
  return whole.done()
}

function writeDocument(message: MessageWriter, document: ScipDocument): void {
  message.text(4, document.language)
  message.text(1, document.path)
  message.number(6, columnsOf.indexOf(document.columns))
  for (const one of document.occurrences)
    message.message(2, (occurrence) => {
      const end = one.endLine === one.line ? [one.endCol] : [one.endLine, one.endCol]
      occurrence.numbers(1, [one.line, one.col, ...end])
      occurrence.text(2, one.symbol)
      occurrence.number(3, (one.isDefinition ? role.definition : 0) | (one.isImport ? role.import : 0))
    })
  for (const one of document.symbols)
    message.message(3, (symbol) => {
      symbol.text(1, one.symbol)
      symbol.text(3, one.documentation ?? '')
      for (const target of one.implements)
        symbol.message(4, (relationship) => {
          relationship.text(1, target)
          relationship.number(3, 1)
        })
      symbol.number(5, one.kind)
      symbol.text(6, one.name)
      const { signature } = one
      if (signature !== undefined)
        symbol.message(7, (said) => {
          said.text(4, document.language)
          said.text(5, signature)
        })
    })
}

export function readScip(bytes: Uint8Array): ScipIndex {
  let [tool, toolVersion, projectRoot] = ['', '', '']
  const documents: ScipDocument[] = []
  for (const field of fieldsOf(bytes)) {
    if (field.number === 2) documents.push(readDocument(field.bytes))
    if (field.number !== 1) continue
    for (const one of fieldsOf(field.bytes)) {
      if (one.number === 3) projectRoot = textOf(one)
      if (one.number !== 2) continue
      for (const said of fieldsOf(one.bytes)) {
        if (said.number === 1) tool = textOf(said)
        if (said.number === 2) toolVersion = textOf(said)
      }
    }
  }
  if (tool === '' && documents.length === 0) throw new DamagedMessageError('it names no tool and no file')
  return { tool, toolVersion, projectRoot, documents }
}

function readDocument(bytes: Uint8Array): ScipDocument {
  let [path, language] = ['', '']
  let columns: ScipDocument['columns']
  const occurrences: ScipOccurrence[] = []
  const symbols: ScipSymbol[] = []
  for (const field of fieldsOf(bytes)) {
    if (field.number === 1) path = textOf(field)
    else if (field.number === 4) language = textOf(field)
    else if (field.number === 6) columns = columnsOf[field.value]
    else if (field.number === 2) occurrences.push(...readOccurrence(field.bytes))
    else if (field.number === 3) symbols.push(readSymbol(field.bytes))
  }
  return { path, language, columns, occurrences, symbols }
}

function readOccurrence(bytes: Uint8Array): ScipOccurrence[] {
  const range: number[] = []
  let symbol = ''
  let roles = 0
  for (const field of fieldsOf(bytes)) {
    if (field.number === 1) range.push(...numbersOf(field))
    else if (field.number === 2) symbol = textOf(field)
    else if (field.number === 3) roles = field.value
  }
  const [line, col, third, fourth] = range
  // Colours are occurrences too, of nothing.
  if (line === undefined || col === undefined || third === undefined || symbol === '') return []
  const [endLine, endCol] = fourth === undefined ? [line, third] : [third, fourth]
  const isDefinition = (roles & role.definition) !== 0
  return [{ line, col, endLine, endCol, symbol, isDefinition, isImport: (roles & role.import) !== 0 }]
}

function readSymbol(bytes: Uint8Array): ScipSymbol {
  let [symbol, name] = ['', '']
  let kind = 0
  let documentation: string | undefined
  let signature: string | undefined
  const implemented: string[] = []
  for (const field of fieldsOf(bytes)) {
    if (field.number === 1) symbol = textOf(field)
    else if (field.number === 3) documentation ??= textOf(field)
    else if (field.number === 5) kind = field.value
    else if (field.number === 6) name = textOf(field)
    else if (field.number === 7) signature = [...fieldsOf(field.bytes)].filter((one) => one.number === 5).map(textOf)[0]
    else if (field.number === 4) {
      const parts = [...fieldsOf(field.bytes)]
      const target = parts.find((one) => one.number === 1)
      if (target !== undefined && parts.some((one) => one.number === 3 && one.value === 1))
        implemented.push(textOf(target))
    }
  }
  return { symbol, name, kind, documentation, signature, implements: implemented }
}
