import { Hono } from 'hono/tiny'
import { succeed } from '#shared/kernel/result.ts'
import type { GraphReader } from '../../../indexer/core/graph-reader.ts'
import type { NodeRow } from '../../../indexer/core/rows.ts'
import type { FlowAnswer } from '../../contract/wire.ts'
import { type Answer, badRequest } from '../../core/failure.ts'
import { type Flow, type FlowQuestion, type FlowSource, flowAnswer } from '../../core/flow-answer.ts'
import { integerParameter, type Parameters, textParameter } from '../../core/parameters.ts'
import { splitLines } from '../../core/token-lines.ts'
import { flowHopsMax, flowHopsMin, flowLimitMax, textCharsMax } from '../../limits.ts'
import type { ViewerDeps } from '../../ports.ts'
import { answerWith } from '../answer.ts'
import { parametersOf } from '../query.ts'
import { flatten } from './flatten.ts'
import { indexOf, timing } from './overview-routes.ts'

type Deps = Pick<ViewerDeps, 'index' | 'sources' | 'syntax'>

export function flowRoutes(deps: Deps): Hono {
  const router = new Hono()
  router.get('/api/flow', async (c) => {
    const started = performance.now()
    const texts = new Map<string, { language: string; hash: string; text: string }>()
    const answer = flatten(
      deps.index.use(({ reader }): Answer<Omit<FlowAnswer, 'timing'>> => {
        const asked = questionOf(parametersOf(c))
        if (!asked.ok) return asked
        const body = flowAnswer(reader, asked.value.question, asked.value.limit, sourcePorts(deps, reader, texts))
        return body.ok ? succeed({ ...body.value, index: indexOf(reader) }) : body
      }),
    )
    if (!answer.ok) return answerWith(answer)
    const flows: Flow[] = []
    for (const flow of answer.value.flows) flows.push(await coloured(deps, flow, texts))
    return answerWith<FlowAnswer>(succeed({ ...answer.value, flows, timing: timing(started, false) }))
  })
  return router
}

function questionOf(parameters: Parameters): Answer<{ question: FlowQuestion; limit: number }> {
  const limit = integerParameter(parameters, 'limit', 1, flowLimitMax)
  if (!limit.ok) return limit
  const size = limit.value ?? flowLimitMax
  const hops = (parameters['hop'] ?? []).filter((one) => one.trim() !== '')
  if (hops.length > 0) {
    if (hops.length < flowHopsMin || hops.length > flowHopsMax)
      return badRequest(`hop is given ${flowHopsMin} to ${flowHopsMax} times, not ${hops.length}`)
    if (hops.some((one) => one.length > textCharsMax))
      return badRequest(`hop may have at most ${textCharsMax} characters`)
    return succeed({ question: { kind: 'trail', hops }, limit: size })
  }
  const from = textParameter(parameters, 'from', textCharsMax)
  if (!from.ok) return from
  const to = textParameter(parameters, 'to', textCharsMax)
  if (!to.ok) return to
  const start = from.value?.trim() ?? ''
  const end = to.value?.trim() ?? ''
  if (start !== '' && end !== '') {
    if (start === end) return badRequest('from and to are the same symbol')
    return succeed({ question: { kind: 'directed', from: start, to: end }, limit: size })
  }
  if (start !== '' || end !== '') return badRequest('from and to are given together')
  const symbols = textParameter(parameters, 'symbols', textCharsMax)
  if (!symbols.ok) return symbols
  if (symbols.value === undefined || symbols.value.trim() === '')
    return badRequest('give from and to, or symbols, or hop')
  return succeed({ question: { kind: 'symbols', text: symbols.value }, limit: size })
}

type Texts = Map<string, { language: string; hash: string; text: string }>

function sourcePorts(
  deps: Deps,
  reader: GraphReader,
  texts: Texts,
): { window: (node: NodeRow, from: number, to: number) => FlowSource; body: (node: NodeRow) => string | undefined } {
  const fresh = (node: NodeRow): { path: string; language: string; text: string } | string => {
    const file = reader.file(node.file)
    const known = texts.get(file.path)
    if (known !== undefined) return { path: file.path, language: known.language, text: known.text }
    const state = deps.sources.read(file)
    if (!state.ok) return state.failure.message
    if (state.value.kind !== 'fresh')
      return state.value.kind === 'drifted' ? 'the file has changed since it was indexed' : 'the file is not there'
    texts.set(file.path, { language: file.language, hash: file.hash, text: state.value.text })
    return { path: file.path, language: file.language, text: state.value.text }
  }
  return {
    window(node, from, to) {
      const file = reader.file(node.file)
      const found = fresh(node)
      if (typeof found === 'string')
        return { file: file.path, language: file.language, from, to, drift: true, reason: found }
      const lines = splitLines(found.text).slice(from - 1, to)
      return { file: file.path, language: file.language, from, to: from + lines.length - 1, lines, drift: false }
    },
    body(node) {
      const found = fresh(node)
      return typeof found === 'string'
        ? undefined
        : splitLines(found.text)
            .slice(node.line - 1, node.endLine)
            .join('\n')
    },
  }
}

async function coloured(deps: Deps, flow: Flow, texts: Texts): Promise<Flow> {
  const hops: Flow['hops'][number][] = []
  for (const hop of flow.hops) {
    const known = hop.source === null ? undefined : texts.get(hop.source.file)
    if (hop.source === null || known === undefined || hop.source.lines === undefined) {
      hops.push(hop)
      continue
    }
    const highlight = await deps.syntax.of(known.language, known.hash, known.text)
    hops.push({
      ...hop,
      source: {
        ...hop.source,
        highlight: { ...highlight, lines: highlight.lines.slice(hop.source.from - 1, hop.source.to) },
      },
    })
  }
  return { ...flow, hops }
}
