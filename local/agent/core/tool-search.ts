/** Finds tools by what they are called and what they say of themselves: where there are too many to tell a model of all. */
export interface SearchedTool {
  readonly name: string
  readonly description: string
}

/** Those in which most words are found, a word of a name counting more than one of a description. */
export function searchTools<T extends SearchedTool>(tools: readonly T[], query: string, limit: number): T[] {
  const words = [...new Set(wordsOf(query))]
  return tools
    .map((tool) => ({ tool, score: scoreOf(tool, words) }))
    .filter(({ score }) => score > 0)
    .sort((left, right) => right.score - left.score || (left.tool.name < right.tool.name ? -1 : 1))
    .slice(0, limit)
    .map(({ tool }) => tool)
}

function wordsOf(text: string): string[] {
  return text
    .replace(/([a-z])([A-Z])/g, '$1 $2')
    .toLowerCase()
    .split(/[^\p{L}\p{N}]+/u)
    .filter((word) => word !== '')
}

function scoreOf({ name, description }: SearchedTool, words: readonly string[]): number {
  const ofName = new Set(wordsOf(name))
  const ofDescription = new Set(wordsOf(description))
  const has = (known: ReadonlySet<string>, word: string) =>
    known.has(word) ? 2 : [...known].some((one) => one.startsWith(word) || word.startsWith(one)) ? 1 : 0
  return words.reduce((sum, word) => sum + 3 * has(ofName, word) + has(ofDescription, word), 0)
}
