/** How a definition gets from a row to the torrent file. */
import type { DownloadBlock, DownloadSelector, Inputs } from './definition.ts'
import type { DefinitionReader, Path, Tree } from './definition-reader.ts'
import type { Filter } from './filters.ts'
import type { Template } from './template.ts'

/** What blocks of a definition have in common. */
export interface BlockReader {
  readonly reader: DefinitionReader
  headers(tree: Tree | undefined, path: Path): DownloadBlock['headers']
  inputs(tree: Tree | undefined, path: Path): Inputs[]
  filters(tree: Tree | undefined, path: Path): Filter[]
  selectorTemplate(text: string, path: Path, kind: 'json' | 'html'): Template
}

const selectorsMax = 20

export function readDownload(compiler: BlockReader, tree: Tree | undefined): DownloadBlock {
  const { reader } = compiler
  const table = reader.table(tree, ['download'], ['method', 'before', 'selectors', 'infohash', 'headers'])
  const methodOf = (one: Tree | undefined, path: Path) =>
    reader.choice(one, path, ['get', 'post'], 'get') === 'post' ? ('POST' as const) : ('GET' as const)
  const selectors = reader.list(table['selectors'], ['download', 'selectors'])
  if (selectors.length > selectorsMax) reader.note('too_many', ['download', 'selectors'], `more than ${selectorsMax}`)
  const infoHash = reader.table(table['infohash'], ['download', 'infohash'], ['hash', 'title', 'usebeforeresponse'])
  const fromBefore = reader.flag(infoHash['usebeforeresponse'], ['download', 'infohash', 'usebeforeresponse'])
  if ('title' in infoHash) pick(compiler, infoHash['title'], ['download', 'infohash', 'title'])
  return {
    method: methodOf(table['method'], ['download', 'method']),
    headers: compiler.headers(table['headers'], ['download', 'headers']),
    before: 'before' in table ? before(compiler, table['before'], methodOf) : undefined,
    selectors: selectors.map((one, index) => pick(compiler, one, ['download', 'selectors', String(index)])),
    infoHash:
      'hash' in infoHash
        ? { ...pick(compiler, infoHash['hash'], ['download', 'infohash', 'hash']), fromBefore }
        : undefined,
  }
}

function before(
  compiler: BlockReader,
  tree: Tree | undefined,
  methodOf: (tree: Tree | undefined, path: Path) => 'GET' | 'POST',
): DownloadBlock['before'] {
  const { reader } = compiler
  const path = ['download', 'before']
  const table = reader.table(tree, path, ['path', 'pathselector', 'method', 'inputs', 'queryseparator'])
  return {
    path: reader.template(table['path'], [...path, 'path']),
    pathSelector:
      'pathselector' in table ? pick(compiler, table['pathselector'], [...path, 'pathselector']) : undefined,
    method: methodOf(table['method'], [...path, 'method']),
    inputs: compiler.inputs(table['inputs'], [...path, 'inputs']),
    separator: reader.text(table['queryseparator'], [...path, 'queryseparator']) ?? '&',
  }
}

function pick(compiler: BlockReader, tree: Tree | undefined, path: Path): DownloadSelector {
  const { reader } = compiler
  const table = reader.table(tree, path, ['selector', 'attribute', 'usebeforeresponse', 'filters'])
  return {
    selector: compiler.selectorTemplate(reader.needed(table, 'selector', path), [...path, 'selector'], 'html'),
    attribute: reader.text(table['attribute'], [...path, 'attribute']),
    fromBefore: reader.flag(table['usebeforeresponse'], [...path, 'usebeforeresponse']),
    filters: compiler.filters(table['filters'], [...path, 'filters']),
  }
}
