/** Reads what an owner wrote in YAML, or copied from others: bounded, and with the line of each fault. */
import { Composer, isMap, isSeq, LineCounter, type ParsedNode, Parser } from 'yaml'
import { failWith, type Result, succeed } from '#shared/kernel/result.ts'
import type { PlacedFault } from '../core/cardigann/checked-definition.ts'
import type { Path } from '../core/cardigann/definition-reader.ts'
import { readPlainYaml } from './plain-yaml.ts'
import { nameTwice, signsOf } from './yaml-shape.ts'

export interface YamlText {
  readonly value: unknown
  /** Where a part stands, or the nearest part around it. */
  lineOf(path: Path): number | undefined
}

interface YamlBounds {
  readonly schema: 'failsafe' | 'core'
  readonly bytesMax: number
  readonly faultsMax: number
}

/** With the schema `failsafe` every word stays a text: `01` is not 1. */
export function readYaml(source: string, bounds: YamlBounds): Result<YamlText, readonly PlacedFault[]> {
  if (new TextEncoder().encode(source).byteLength > bounds.bytesMax)
    return failWith([{ rule: 'too_large', path: [], detail: `more than ${bounds.bytesMax} bytes`, line: undefined }])
  const value = bounds.schema === 'failsafe' ? readPlainYaml(source) : undefined
  if (value === undefined) return parsed(source, bounds)
  // Lines are asked for where something is wrong, which is seldom.
  let whole: ReturnType<typeof parsed> | undefined
  const lineOf = (path: Path) => {
    whole ??= parsed(source, bounds)
    return whole.ok ? whole.value.lineOf(path) : undefined
  }
  return succeed({ value, lineOf })
}

function parsed(source: string, { schema, faultsMax }: YamlBounds): Result<YamlText, readonly PlacedFault[]> {
  const signs = signsOf(source)
  if (signs === undefined) return failWith([tangled])
  const lines = new LineCounter()
  try {
    const [document, other] = documentsOf(signs, source.length, schema, lines)
    if (document === undefined || other !== undefined)
      return failWith([{ rule: 'yaml', path: [], detail: 'multiple docs', line: lineAt(other?.range[0] ?? 0) }])
    if (document.errors.length > 0)
      return failWith(
        document.errors.slice(0, faultsMax).map(({ code, pos }) => ({
          rule: 'yaml' as const,
          path: [],
          detail: code.toLowerCase().replaceAll('_', ' '),
          line: lineAt(pos[0]),
        })),
      )
    const twice = nameTwice(document.contents)
    if (twice !== undefined) return failWith([{ rule: 'yaml', path: [], detail: 'duplicate key', line: lineAt(twice) }])
    // What is named once and repeated could grow without end.
    const value: unknown = document.toJS({ maxAliasCount: aliasesMax + 1 })
    return succeed({ value, lineOf: (path) => lineOf(document.contents as ParsedNode | null, path, lines) })
  } catch {
    return failWith([tangled])
  }

  function lineAt(offset: number): number {
    return lines.linePos(offset).line
  }
}

/** The first two documents of a text that was taken into its signs already, which is a third of reading it. */
function documentsOf(signs: readonly string[], length: number, schema: 'failsafe' | 'core', lines: LineCounter) {
  const parser = new Parser(lines.addNewLine)
  function* tokens() {
    lines.addNewLine(0)
    for (const sign of signs) yield* parser.next(sign)
    yield* parser.end()
  }
  // The composer compares every name with every other.
  const [first, second] = new Composer({ schema, uniqueKeys: false }).compose(tokens(), true, length)
  return [first, second]
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
