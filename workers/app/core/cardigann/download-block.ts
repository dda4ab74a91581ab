/** How a definition gets from a row to the torrent file. */
import type { BlockReader } from './block-reader.ts'
import type { DownloadBlock, DownloadSelector } from './definition.ts'
import type { Path, Tree } from './definition-reader.ts'

const selectorsMax = 20

export function readDownload(blocks: BlockReader, tree: Tree | undefined): DownloadBlock {
  const { reader } = blocks
  const table = reader.table(tree, ['download'], ['method', 'before', 'selectors', 'infohash', 'headers'])
  const methodOf = (one: Tree | undefined, path: Path) =>
    reader.choice(one, path, ['get', 'post'], 'get') === 'post' ? ('POST' as const) : ('GET' as const)
  const selectors = reader.list(table['selectors'], ['download', 'selectors'])
  if (selectors.length > selectorsMax) reader.note('too_many', ['download', 'selectors'], `more than ${selectorsMax}`)
  const infoHash = reader.table(table['infohash'], ['download', 'infohash'], ['hash', 'title', 'usebeforeresponse'])
  const fromBefore = reader.flag(infoHash['usebeforeresponse'], ['download', 'infohash', 'usebeforeresponse'])
  if ('title' in infoHash) pick(blocks, infoHash['title'], ['download', 'infohash', 'title'])
  return {
    method: methodOf(table['method'], ['download', 'method']),
    headers: blocks.headers(table['headers'], ['download', 'headers']),
    before: 'before' in table ? before(blocks, table['before'], methodOf) : undefined,
    selectors: selectors.map((one, index) => pick(blocks, one, ['download', 'selectors', String(index)])),
    infoHash:
      'hash' in infoHash
        ? { ...pick(blocks, infoHash['hash'], ['download', 'infohash', 'hash']), fromBefore }
        : undefined,
  }
}

function before(
  blocks: BlockReader,
  tree: Tree | undefined,
  methodOf: (tree: Tree | undefined, path: Path) => 'GET' | 'POST',
): DownloadBlock['before'] {
  const { reader } = blocks
  const path = ['download', 'before']
  const table = reader.table(tree, path, ['path', 'pathselector', 'method', 'inputs', 'queryseparator'])
  return {
    path: reader.template(table['path'], [...path, 'path']),
    pathSelector: 'pathselector' in table ? pick(blocks, table['pathselector'], [...path, 'pathselector']) : undefined,
    method: methodOf(table['method'], [...path, 'method']),
    inputs: blocks.inputs(table['inputs'], [...path, 'inputs']),
    separator: reader.text(table['queryseparator'], [...path, 'queryseparator']) ?? '&',
  }
}

function pick(blocks: BlockReader, tree: Tree | undefined, path: Path): DownloadSelector {
  const { reader } = blocks
  const table = reader.table(tree, path, ['selector', 'attribute', 'usebeforeresponse', 'filters'])
  return {
    selector: blocks.selectorTemplate(reader.needed(table, 'selector', path), [...path, 'selector'], 'html'),
    attribute: reader.text(table['attribute'], [...path, 'attribute']),
    fromBefore: reader.flag(table['usebeforeresponse'], [...path, 'usebeforeresponse']),
    filters: blocks.filters(table['filters'], [...path, 'filters']),
  }
}
