/** Which frameworks a file is written for, and what they call in it. */
import type { CodeGraph } from '../../indexer/core/code-graph.ts'
import type { FileRow } from '../../indexer/core/rows.ts'
import type { EntryRule, Framework } from './frameworks/framework.ts'
import { frameworksOf } from './frameworks/tables.ts'

export class FrameworkUse {
  readonly #graph: CodeGraph
  readonly #known = new Map<number, readonly Framework[]>()

  constructor(graph: CodeGraph) {
    this.#graph = graph
  }

  /** By what the file imports, or by its place. */
  of(file: FileRow): readonly Framework[] {
    let found = this.#known.get(file.n)
    if (found === undefined) {
      const imports = this.#importsOf(file)
      found = frameworksOf[file.language].filter(
        (one) => one.path?.test(file.path) === true || imports.some((name) => one.imports?.test(name) === true),
      )
      this.#known.set(file.n, found)
    }
    return found
  }

  /** Whether a framework calls the symbol by its name or its place. */
  calls(n: number, file: FileRow): boolean {
    return this.of(file).some((one) => one.entries?.some((rule) => this.#isEntry(rule, n, file)) === true)
  }

  #isEntry(rule: EntryRule, n: number, file: FileRow): boolean {
    const graph = this.#graph
    return (
      rule.path?.test(file.path) !== false &&
      rule.name?.test(graph.nameOf(n)) !== false &&
      rule.owner?.test(graph.nameOf(graph.parentOf(n))) !== false &&
      rule.kinds?.includes(graph.kindOf(n)) !== false
    )
  }

  #importsOf(file: FileRow): string[] {
    return [...this.#graph.childrenOf(file.firstNode)].flatMap((n) =>
      this.#graph.kindOf(n) === 'import' ? [this.#graph.nameOf(n)] : [],
    )
  }
}
