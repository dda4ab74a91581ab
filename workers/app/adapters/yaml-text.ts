/** Reads what an owner wrote in YAML, or copied from others: bounded, and with the line of each fault. */
import { isMap, isSeq, LineCounter, type ParsedNode, parseDocument } from 'yaml'
import { failWith, type Result, succeed } from '#shared/kernel/result.ts'
import type { PlacedFault } from '../core/cardigann/checked-definition.ts'
import type { Path } from '../core/cardigann/definition-reader.ts'
import { isTangled, nameTwice } from './yaml-shape.ts'

export interface YamlText {
  readonly value: unknown
  /** Where a part stands, or the nearest part around it. */
  lineOf(path: Path): number | undefined
}

/** With the schema `failsafe` every word stays a text: `01` is not 1. */
export function readYaml(
  source: string,
  {
    schema,
    bytesMax,
    faultsMax,
  }: {
    readonly schema: 'failsafe' | 'core'
    readonly bytesMax: number
    readonly faultsMax: number
  },
): Result<YamlText, readonly PlacedFault[]> {
  if (new TextEncoder().encode(source).byteLength > bytesMax)
    return failWith([{ rule: 'too_large', path: [], detail: `more than ${bytesMax} bytes`, line: undefined }])
  if (isTangled(source)) return failWith([tangled])
  const lines = new LineCounter()
  try {
    const document = parseDocument(source, {
      schema,
      lineCounter: lines,
      // The parser compares every name with every other.
      uniqueKeys: false,
      prettyErrors: false,
      logLevel: 'silent',
    })
    if (document.errors.length > 0)
      return failWith(
        document.errors.slice(0, faultsMax).map(({ code, pos }) => ({
          rule: 'yaml' as const,
          path: [],
          detail: code.toLowerCase().replaceAll('_', ' '),
          line: lines.linePos(pos[0]).line,
        })),
      )
    const twice = nameTwice(document.contents)
    if (twice !== undefined)
      return failWith([{ rule: 'yaml', path: [], detail: 'duplicate key', line: lines.linePos(twice).line }])
    // What is named once and repeated could grow without end.
    const value: unknown = document.toJS({ maxAliasCount: aliasesMax + 1 })
    return succeed({ value, lineOf: (path) => lineOf(document.contents as ParsedNode | null, path, lines) })
  } catch {
    return failWith([tangled])
  }
}

const tangled: PlacedFault = {
  rule: 'yaml',
  path: [],
  detail: 'too deeply nested, or too much repeated',
  line: undefined,
}
/** The parser counts what is repeated itself, too. */
export const aliasesMax = 20

function lineOf(root: ParsedNode | null, path: Path, lines: LineCounter): number | undefined {
  let node: unknown = root
  let offset: number | undefined
  for (const step of path) {
    if (isMap(node)) {
      const pair = node.items.find(({ key }) => String((key as { value?: unknown } | null)?.value ?? key) === step)
      if (pair === undefined) break
      offset = (pair.key as ParsedNode | null)?.range?.[0] ?? offset
      node = pair.value
    } else if (isSeq(node)) {
      node = node.items[Number(step)]
      offset = (node as ParsedNode | undefined)?.range?.[0] ?? offset
    } else break
  }
  return offset === undefined ? undefined : lines.linePos(offset).line
}
