/**
 * What a model writes, as blocks the page draws: paragraphs, headings, lists, tables, code. Only the shape is read from
 * it; every piece stays text. Each line is looked at once, so a long answer costs no more than its length.
 */
export type Inline =
  | { readonly kind: 'text' | 'code'; readonly text: string }
  | { readonly kind: 'strong'; readonly inlines: readonly Inline[] }
  | { readonly kind: 'link'; readonly address: string }

interface ListItem {
  readonly depth: 0 | 1 | 2
  /** Undefined: a dot. */
  readonly number: number | undefined
  readonly inlines: readonly Inline[]
}

export type Block =
  | { readonly kind: 'paragraph' | 'heading'; readonly inlines: readonly Inline[] }
  | { readonly kind: 'list'; readonly items: readonly ListItem[] }
  | { readonly kind: 'code'; readonly text: string }
  | {
      readonly kind: 'table'
      readonly head: readonly (readonly Inline[])[]
      readonly rows: readonly (readonly (readonly Inline[])[])[]
    }

/** Marks that turn the reading direction of what follows, and signs that cannot be seen: a name could lie with them. */
const unseen = /[^\P{Cc}\t\n]|[\u200b\u200e\u200f\u202a-\u202e\u2060-\u2069\ufeff]/gu

/** Where such a sign stands, one that can be seen takes its place. */
export function showUnseen(text: string): string {
  return text.replaceAll('\r\n', '\n').toWellFormed().replace(unseen, '\ufffd')
}

const inlinePattern =
  /`([^`\n]+)`|\*\*([^*\n]+)\*\*|\[([^[\]\n]{1,300})\]\((https?:\/\/[^\s()<>]{1,2000})\)|https?:\/\/[^\s<>"'`*|()，。、；：！？（）《》「」“”]{1,2000}/gi

/**
 * The address as the browser reads it: what is shown is where it leads, in letters that cannot be mistaken. One that
 * names a user in front of the host is none.
 */
function safeAddress(text: string): string | undefined {
  if (!URL.canParse(text)) return undefined
  const { protocol, username, password, href } = new URL(text)
  return /^https?:$/.test(protocol) && username === '' && password === '' ? href : undefined
}

export function readInlines(line: string, inStrong = false): Inline[] {
  const found: Inline[] = []
  let from = 0
  function add(end: number, ...inlines: readonly Inline[]): void {
    found.push(...inlines)
    from = end
  }
  for (const match of line.matchAll(inlinePattern)) {
    const [whole, code, strong, label, labelled] = match
    const before = line.slice(from, match.index)
    if (before !== '') found.push({ kind: 'text', text: before })
    from = match.index
    const end = match.index + whole.length
    if (code !== undefined) add(end, { kind: 'code', text: code })
    else if (strong !== undefined && !inStrong) add(end, { kind: 'strong', inlines: readInlines(strong, true) })
    else {
      // The mark that ends a sentence is not part of the address before it.
      const bare = whole.replace(/[.,;:!?]+$/, '')
      const address = strong === undefined ? safeAddress(labelled ?? bare) : undefined
      if (address === undefined) add(end, { kind: 'text', text: whole })
      else if (label === undefined) add(match.index + bare.length, { kind: 'link', address })
      else add(end, { kind: 'text', text: `${label} ` }, { kind: 'link', address })
    }
  }
  if (from < line.length) found.push({ kind: 'text', text: line.slice(from) })
  return found
}

/** What is wider is no table for a page, and its empty cells would outgrow the answer. */
const tableColumnsMax = 20

const fence = /^\s*(`{3,}|~{3,})/
const heading = /^ {0,3}#{1,6}\s+(\S.*)$/
const listMark = /^(\s*)(?:[-*+•]|(\d{1,9})[.)])\s+(\S.*)$/

function cellsOf(line: string): string[] {
  return line
    .trim()
    .replace(/^\||\|$/g, '')
    .split('|')
    .map((cell) => cell.trim())
}

function isTableRule(line: string | undefined): boolean {
  return line?.includes('-') === true && line.includes('|') && cellsOf(line).every((cell) => /^:?-+:?$/.test(cell))
}

function depthOf(indent: string): ListItem['depth'] {
  const columns = indent.replaceAll('\t', '    ').length
  return columns < 2 ? 0 : columns < 5 ? 1 : 2
}

export function readBlocks(text: string): Block[] {
  const lines = showUnseen(text).split('\n')
  const blocks: Block[] = []
  let paragraph: string[] = []
  let items: { readonly mark: Omit<ListItem, 'inlines'>; readonly said: string[] }[] = []

  function close(): void {
    if (paragraph.length > 0) blocks.push({ kind: 'paragraph', inlines: readInlines(paragraph.join('\n')) })
    if (items.length > 0)
      blocks.push({
        kind: 'list',
        items: items.map(({ mark, said }) => ({ ...mark, inlines: readInlines(said.join('\n')) })),
      })
    paragraph = []
    items = []
  }

  for (let at = 0; at < lines.length; at += 1) {
    const line = lines[at] ?? ''
    const fenceMark = fence.exec(line)?.[1]
    if (fenceMark !== undefined) {
      close()
      const from = at + 1
      // One that is not closed is still being written.
      do at += 1
      while (at < lines.length && !isFenceEnd(lines[at] ?? '', fenceMark))
      blocks.push({ kind: 'code', text: lines.slice(from, at).join('\n') })
      continue
    }
    const title = heading.exec(line)?.[1]
    if (title !== undefined) {
      close()
      blocks.push({ kind: 'heading', inlines: readInlines(title) })
      continue
    }
    const [, indent = '', number, said] = listMark.exec(line) ?? []
    if (said !== undefined) {
      if (paragraph.length > 0) close()
      const mark = { depth: depthOf(indent), number: number === undefined ? undefined : Number(number) }
      items.push({ mark, said: [said] })
      continue
    }
    const titles = line.includes('|') && isTableRule(lines[at + 1]) ? cellsOf(line) : []
    if (titles.length > 0 && titles.length <= tableColumnsMax) {
      close()
      const head = titles.map((cell) => readInlines(cell))
      const rows: Inline[][][] = []
      for (at += 1; lines[at + 1]?.includes('|'); at += 1) {
        const cells = cellsOf(lines[at + 1] ?? '')
        rows.push(head.map((_, column) => readInlines(cells[column] ?? '')))
      }
      blocks.push({ kind: 'table', head, rows })
      continue
    }
    if (line.trim() === '') {
      // A list goes on after an empty line where its next mark follows.
      if (items.length === 0 || !listMark.test(lines[at + 1] ?? '')) close()
      continue
    }
    const last = items.at(-1)
    if (last !== undefined && /^\s/.test(line)) last.said.push(line.trim())
    else {
      if (items.length > 0) close()
      paragraph.push(line)
    }
  }
  close()
  return blocks
}

function isFenceEnd(line: string, mark: string): boolean {
  const trimmed = line.trim()
  return trimmed.length >= mark.length && trimmed === (mark[0] ?? '').repeat(trimmed.length)
}
