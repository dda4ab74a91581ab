/** What nothing uses, and what only perhaps is not used, with what speaks for it. */
import { succeed } from '#shared/kernel/result.ts'
import type { NodeRow } from '../../../indexer/core/rows.ts'
import { exclusionLabels, findDead, isWithin, parseKinds, type SparedFor } from '../dead-code.ts'
import { furtherKinds, usualKinds } from '../dead-code-kinds.ts'
import { notFound } from '../failure.ts'
import { Evidence } from './evidence.ts'
import type { IndexTool } from './tool.ts'

const pathCharsMax = 500
const kindsCharsMax = 400

/** What may be alive for a reason that a reader can look into, the likeliest to be dead first. Others are no doubts. */
const doubtful: readonly SparedFor[] = [
  'exported',
  'unreachableFile',
  'mentioned',
  'ambiguousName',
  'unresolvedName',
  'overriding',
  'decorated',
  'framework',
  'markup',
  'unreadable',
]

export const deadTool: IndexTool = {
  name: 'dead',
  description:
    'What of a file, a folder or the project nothing uses, the largest first; then, each under its doubt, what nothing is seen to use but something may: exported, mentioned in a text, called by a framework.',
  parameters: {
    path: { kind: 'text', about: 'Only this file or folder, as a path from the root.', charsMax: pathCharsMax },
    exported: { kind: 'flag', about: 'Judge what is exported as well, as if nothing outside the project used it.' },
    kinds: {
      kind: 'text',
      about: `Kinds with commas, of ${[...usualKinds, ...furtherKinds].join(', ')}; the first ${usualKinds.length} if not said.`,
      charsMax: kindsCharsMax,
    },
  },
  ask(sensed, given) {
    const { reader } = sensed
    const kinds = parseKinds(given['kinds'] === undefined ? undefined : String(given['kinds']))
    if (!kinds.ok) return kinds
    const within = plainPath(String(given['path'] ?? ''))
    if (!reader.graph.files.some(({ path }) => isWithin(path, within)))
      return notFound(`no file of the index is in "${within.slice(0, 200)}"`)
    const options = { includeTests: false, includeGenerated: false, includeExported: given['exported'] === true }
    const found = findDead(
      reader,
      { ...options, kinds: kinds.value, within },
      { of: sensed.read, others: sensed.others },
    )
    const evidence = new Evidence(sensed)
    const row =
      (node: NodeRow, more = '') =>
      () =>
        evidence.ofNode(node, more)
    const aside = [...found.spared].filter(([reason]) => reason !== 'nested' && !doubtful.includes(reason))
    return succeed({
      head: [
        `Nothing uses, in ${within === '' ? 'the whole project' : within}`,
        ...(found.outer.length === 0 ? ['Nothing is surely unused.'] : []),
        ...(found.isBounded ? ['Not all was looked through: something here may be mentioned elsewhere.'] : []),
        ...(aside.length === 0
          ? []
          : [
              `Left aside: ${aside.map(([reason, nodes]) => `${nodes.length} ${exclusionLabels[reason]}`).join(', ')}.`,
            ]),
      ],
      parts: [
        {
          title: 'Surely unused, as far as the project goes',
          rows: found.outer.map((node) => {
            const inside = found.nestedIn.get(node.n)?.length ?? 0
            const lines = node.endLine - node.line + 1
            return row(node, `, ${lines} line${lines === 1 ? '' : 's'}${inside === 0 ? '' : `, with ${inside} inside`}`)
          }),
        },
        ...doubtful.map((reason) => ({
          title: `In doubt: ${exclusionLabels[reason]}`,
          rows: (found.spared.get(reason) ?? []).map((node) => row(node)),
        })),
      ],
      notes: () => evidence.notes(),
    })
  },
}

function plainPath(path: string): string {
  const plain = path.trim().replace(/^\.\//, '').replace(/\/+$/, '')
  return plain === '.' ? '' : plain
}
