/** The tools over a project's published index: one question, one text. */
import { type Answer, notFound } from './core/failure.ts'
import { writeReport } from './core/senses/report.ts'
import { givenOf, type SenseTool, schemaOf } from './core/senses/tool.ts'
import { senseTools } from './core/senses/tools.ts'
import type { IndexAccess, SourceFiles } from './ports.ts'

export interface SensePorts {
  readonly index: IndexAccess
  readonly sources: SourceFiles
}

export interface Senses {
  readonly list: readonly {
    readonly name: string
    readonly description: string
    readonly schema: ReturnType<typeof schemaOf>
  }[]
  ask(name: string, raw: Readonly<Record<string, unknown>>): { readonly text: string; readonly isError: boolean }
}

/** `open` is asked with every question: an index may come, go and be another between two of them. */
export function createSenses(open: () => Answer<SensePorts>): Senses {
  return {
    list: senseTools.map((one) => ({ name: one.name, description: one.description, schema: schemaOf(one) })),
    ask(name, raw) {
      const answer = answerOf(open, name, raw)
      if (answer.ok) return { text: answer.value, isError: false }
      const { message, hint } = answer.failure
      return { text: hint === undefined ? message : `${message}; ${hint}`, isError: true }
    },
  }
}

function answerOf(
  open: () => Answer<SensePorts>,
  name: string,
  raw: Readonly<Record<string, unknown>>,
): Answer<string> {
  const tool: SenseTool | undefined = senseTools.find((one) => one.name === name)
  if (tool === undefined)
    return notFound(`no tool "${name.slice(0, 80)}"`, `there are ${senseTools.map((one) => one.name).join(', ')}`)
  const given = givenOf(tool, raw)
  if (!given.ok) return given
  const opened = open()
  if (!opened.ok) return opened
  const { index, sources } = opened.value
  const answered = index.use(({ reader }): Answer<string> => {
    const read: Parameters<SenseTool['ask']>[0]['read'] = (file) => {
      const state = sources.read(file)
      return state.ok && state.value.kind === 'fresh' ? state.value.text : undefined
    }
    const report = tool.ask({ reader, read }, given.value)
    return report.ok ? { ok: true, value: writeReport(report.value, Number(given.value['budget'])) } : report
  })
  return answered.ok ? answered.value : answered
}
