/** The tools over a project's published index: one question, one text. */
import { succeed } from '#shared/kernel/result.ts'
import type { FileRow } from '../indexer/core/rows.ts'
import { type Answer, notFound } from './core/failure.ts'
import { writeReport } from './core/senses/report.ts'
import { type Given, givenOf, type IndexTool, schemaOf } from './core/senses/tool.ts'
import { senseTools } from './core/senses/tools.ts'
import { findText } from './find-text.ts'
import type { ViewerDeps } from './ports.ts'
import { reviewIn } from './review.ts'

export type SensePorts = Pick<ViewerDeps, 'index' | 'sources' | 'text' | 'changes'>

type MayShow = (path: string) => boolean

interface SensedAnswer {
  readonly text: string
  readonly isError: boolean
}

export interface Senses {
  readonly list: readonly {
    readonly name: string
    readonly description: string
    readonly schema: ReturnType<typeof schemaOf>
  }[]
  ask(
    name: string,
    raw: Readonly<Record<string, unknown>>,
    signal: AbortSignal,
    mayShow?: MayShow,
  ): Promise<SensedAnswer>
}

/** `open` is asked with every question: an index may come, go and be another between two of them. */
export function createSenses(open: () => Answer<SensePorts>): Senses {
  return {
    list: senseTools.map((one) => ({ name: one.name, description: one.description, schema: schemaOf(one) })),
    async ask(name, raw, signal, mayShow = () => true) {
      const answer = await answerOf(open, name, raw, signal, mayShow)
      if (answer.ok) return { text: answer.value, isError: false }
      const { message, hint } = answer.failure
      return { text: hint === undefined ? message : `${message}; ${hint}`, isError: true }
    },
  }
}

async function answerOf(
  open: () => Answer<SensePorts>,
  name: string,
  raw: Readonly<Record<string, unknown>>,
  signal: AbortSignal,
  mayShow: MayShow,
): Promise<Answer<string>> {
  const tool = senseTools.find((one) => one.name === name)
  if (tool === undefined)
    return notFound(`no tool "${name.slice(0, 80)}"`, `there are ${senseTools.map((one) => one.name).join(', ')}`)
  const given = givenOf(tool, raw)
  if (!given.ok) return given
  const opened = open()
  if (!opened.ok) return opened
  const budget = Number(given.value['budget'])
  if (!('look' in tool)) return fromIndex(opened.value, tool, given.value, mayShow)
  const report = await tool.look({ findText: (asked) => findText(opened.value, asked, signal) }, given.value)
  return report.ok ? succeed(writeReport(report.value, budget)) : report
}

/** Rows are made while the index is open: they read it. */
function fromIndex(ports: SensePorts, tool: IndexTool, given: Given, mayShow: MayShow): Answer<string> {
  const { index, sources } = ports
  const answered = index.use(({ reader }): Answer<string> => {
    const read = (file: FileRow): string | undefined => {
      const state = sources.read(file)
      return state.ok && state.value.kind === 'fresh' ? state.value.text : undefined
    }
    const report = tool.ask(
      { reader, read, mayShow, others: () => sources.others(), review: (range) => reviewIn(reader, ports, range) },
      given,
    )
    return report.ok ? succeed(writeReport(report.value, Number(given['budget']))) : report
  })
  return answered.ok ? answered.value : answered
}
