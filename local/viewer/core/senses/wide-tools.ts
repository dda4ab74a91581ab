/** How one symbol comes to another, and how the whole hangs together. */
import { succeed } from '#shared/kernel/result.ts'
import { type Flow, flowAnswer } from '../flow-answer.ts'
import { moduleMap } from '../module-map.ts'
import { Evidence } from './evidence.ts'
import { namedSymbol, symbolParameters } from './named-symbol.ts'
import type { Part } from './report.ts'
import type { IndexTool } from './tool.ts'

const flowsMax = 4
const pathCharsMax = 500

export const flowTool: IndexTool = {
  name: 'flow',
  description:
    'The shortest chains of certain calls from one symbol to another, with the line of each call; where there is none, where the way may go on at run time.',
  parameters: {
    from: { ...symbolParameters.symbol, about: `Where the way begins. ${symbolParameters.symbol.about}` },
    to: { ...symbolParameters.symbol, about: `Where it ends. ${symbolParameters.symbol.about}` },
  },
  ask({ reader, read }, given) {
    const ends = ['from', 'to'].map((name) => namedSymbol(reader, { symbol: given[name] }))
    const failed = ends.find((one) => !one.ok)
    if (failed !== undefined && !failed.ok) return failed
    const [from, to] = ends.map((one) => (one.ok ? one.value : undefined))
    if (from === undefined || to === undefined || from.n === to.n)
      return { ok: false, failure: { code: 'bad-request', message: 'from and to are the same symbol' } }
    const evidence = new Evidence(reader, read)
    const answer = flowAnswer(reader, { kind: 'directed', from: from.id, to: to.id }, flowsMax, {
      // The lines are taken from the evidence, which reads only what is shown.
      window: (node, first, last) => {
        const { path, language } = reader.file(node.file)
        return { file: path, language, from: first, to: last }
      },
      body: (node) =>
        evidence
          .linesOf(node.file)
          ?.slice(node.line - 1, node.endLine)
          .join('\n'),
    })
    if (!answer.ok) return answer
    const { flows, reason } = answer.value
    const whole = flows.filter((one) => !one.partial)
    return succeed({
      head: [
        `From ${from.qualifiedName} to ${to.qualifiedName}`,
        evidence.ofNode(from),
        evidence.ofNode(to),
        ...(reason === null ? [] : [`Certain: ${reason}.`]),
      ],
      parts: [
        ...whole.map(
          (one, at): Part => ({
            title: at === 0 ? 'Certain, the shortest chain' : 'Certain, another chain',
            rows: hopRows(one, (path, line, what) => evidence.at(reader.fileByPath(path)?.n ?? 0, line, what)),
          }),
        ),
        ...flows.flatMap((one) =>
          boundaryParts(one, (path, line, what) => evidence.at(reader.fileByPath(path)?.n ?? 0, line, what)),
        ),
      ],
      notes: () => evidence.notes(),
    })
  },
}

type At = (path: string, line: number, what: string) => string

function hopRows(flow: Flow, at: At): Part['rows'] {
  return flow.hops.map(({ node, callRef }) => () => {
    const what = `${node.kind} ${node.qualifiedName}`
    return callRef === null
      ? at(node.file, node.line, what)
      : at(node.file, callRef.line, `${what} calls ${callRef.name}`)
  })
}

/** Where the static graph ends: the call whose target is chosen at run time, and guesses that lead on. */
function boundaryParts({ boundary }: Flow, at: At): Part[] {
  if (boundary === null) return []
  const { node, sites, uncertain } = boundary
  return [
    {
      title: `Where it may go on at run time, in ${node.qualifiedName}`,
      rows: sites.map((one) => () => {
        const candidates = one.candidates.map((other) => `${other.display} at ${other.node.file}:${other.node.line}`)
        const key = candidates.length === 0 ? (one.candidateNote ?? '') : `perhaps ${candidates.join(', ')}`
        return at(node.file, one.line, `${one.label}; ${key}`)
      }),
    },
    {
      title: 'Possible next calls, by a guess',
      rows: uncertain.items.map((one) => () => at(node.file, one.line, `${one.node.kind} ${one.node.qualifiedName}`)),
    },
  ]
}

export const mapTool: IndexTool = {
  name: 'map',
  description:
    'The project by folders: how many files and symbols each has, which depends on which and by how much (certain references only, without tests), and circles of files.',
  parameters: {
    root: { kind: 'text', about: 'Only this folder.', charsMax: pathCharsMax },
    depth: { kind: 'whole', about: 'Levels of folders; 0 chooses.', min: 0, max: 4, fallback: 0 },
  },
  ask({ reader }, given) {
    const depth = Number(given['depth'])
    const root = given['root'] === undefined ? undefined : String(given['root'])
    const map = moduleMap(reader.graph, root, depth === 0 ? undefined : depth, false)
    if (map.modules.length === 0)
      return { ok: false, failure: { code: 'not-found', message: `no file of the index is in "${root ?? ''}"` } }
    const shown = map.modules.filter((one) => !one.test)
    const names = new Set(shown.map((one) => one.id))
    const links = map.links
      .filter((one) => names.has(one.source) && names.has(one.target))
      .sort((left, right) => right.count - left.count)
    return succeed({
      head: [
        `${map.root === '' ? 'The whole project' : map.root}: ${shown.length} modules, ${map.modules.length - shown.length} of tests left out.`,
        `Only certain references count; ${map.excluded.uncertainEdges} guessed ones in the index do not.`,
      ],
      parts: [
        {
          title: 'Modules, by how many depend on them',
          rows: [...shown]
            .sort((left, right) => right.dependents.files - left.dependents.files)
            .map(
              (one) => () =>
                `${one.id}  ${one.files} files, ${one.symbols} symbols, ${one.languages.map(({ language }) => language).join(' ')}; used by ${one.dependents.files} files of ${one.dependents.modules} modules`,
            ),
        },
        {
          title: 'What depends on what',
          rows: links.map((one) => () => {
            const [pair] = one.topPairs
            const most = pair === undefined ? '' : `; most: ${pair.from} -> ${pair.to} (${pair.count})`
            return `${one.source} -> ${one.target}  ${one.count} references${most}`
          }),
        },
        {
          title: 'Circles of files',
          rows: map.cycles.items.map((one) => () => `${one.size} files: ${one.files.join(', ')}`),
        },
      ],
    })
  },
}
