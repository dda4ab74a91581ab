/** What linking finds, in numbers until somebody asks: there is as much of it as of everything that is linked. */
import type { GraphEdge, UnresolvedReference } from './graph.ts'
import { NumberTable } from './number-table.ts'
import { edgeKinds, resolutions } from './vocabulary.ts'

export class EdgeTable implements Iterable<GraphEdge> {
  readonly #rows = new NumberTable(9)

  push(edge: GraphEdge): void {
    const { sourceFile, source, targetFile, target, kind, line, col, resolution, confidence } = edge
    const [kindAt, how, sure] = [edgeKinds.indexOf(kind), resolutions.indexOf(resolution), Math.round(confidence * 100)]
    this.#rows.push([sourceFile, source, targetFile, target, line, col, kindAt, how, sure])
  }

  *[Symbol.iterator](): Generator<GraphEdge> {
    const rows = this.#rows
    for (let row = 0; row < rows.length; row += 1)
      yield {
        sourceFile: rows.get(row, 0),
        source: rows.get(row, 1),
        targetFile: rows.get(row, 2),
        target: rows.get(row, 3),
        line: rows.get(row, 4),
        col: rows.get(row, 5),
        kind: edgeKinds[rows.get(row, 6)] ?? 'references',
        resolution: resolutions[rows.get(row, 7)] ?? 'fuzzy',
        confidence: rows.get(row, 8) / 100,
      }
  }
}

export class UnresolvedTable implements Iterable<UnresolvedReference> {
  readonly #rows = new NumberTable(6)
  readonly #numbers = new Map<string, number>()
  readonly #names: string[] = []

  push({ file, from, name, kind, line, col }: UnresolvedReference): void {
    let number = this.#numbers.get(name)
    if (number === undefined) {
      number = this.#names.push(name) - 1
      this.#numbers.set(name, number)
    }
    this.#rows.push([file, from, number, edgeKinds.indexOf(kind), line, col])
  }

  *[Symbol.iterator](): Generator<UnresolvedReference> {
    const rows = this.#rows
    for (let row = 0; row < rows.length; row += 1)
      yield {
        file: rows.get(row, 0),
        from: rows.get(row, 1),
        name: this.#names[rows.get(row, 2)] ?? '',
        kind: edgeKinds[rows.get(row, 3)] ?? 'references',
        line: rows.get(row, 4),
        col: rows.get(row, 5),
      }
  }
}
