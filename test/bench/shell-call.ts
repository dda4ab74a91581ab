/** What the sandbox costs: the same call of the model's shell in it and outside of it, by turns. */
import { mkdir, mkdtemp, realpath, rm, writeFile } from 'node:fs/promises'
import os from 'node:os'
import path from 'node:path'
import { setTimeout as delay } from 'node:timers/promises'
import { findSandbox } from '../../local/agent/adapters/find-sandbox.ts'
import { openHostProxy } from '../../local/agent/adapters/host-proxy.ts'
import { defaultPermissions, evaluatePermission } from '../../local/agent/core/permission.ts'
import { createIdentifiers } from '../../local/agent/runtime/identifiers.ts'
import { CommandSandbox } from '../../local/agent/runtime/sandbox.ts'
import type { ToolCall } from '../../local/agent/runtime/tool-port.ts'
import { OutputKeeper } from '../../local/agent/runtime/tools/output-keeper.ts'
import { shellTool } from '../../local/agent/runtime/tools/shell-tool.ts'

const calls = 60
const folders = 300
const filesInFolder = 10
/** Less than a model takes for its next call: what is made ready for that one is made ready by then. */
const betweenMs = 150

export interface ShellCallCost {
  /** Medians, in milliseconds. */
  readonly outsideMs: number
  /** In a sandbox that is made for it when it comes. */
  readonly madeMs: number
  /** In one that waited for it. */
  readonly waitingMs: number
}

/** The calls that are measured wait for their end. */
const unasked = (): never => {
  throw new Error('nothing goes on in the background here')
}

/** Undefined where no sandbox is to be had. */
export async function measureShellCall(): Promise<ShellCallCost | undefined> {
  const environment = { PATH: process.env['PATH'] ?? '', HOME: process.env['HOME'] ?? '/', LANG: 'C.UTF-8' }
  const status = await findSandbox(environment.PATH, process.platform)
  if (status.kind === 'none') return undefined
  const base = await realpath(await mkdtemp(path.join(os.tmpdir(), 'shell-bench-')))
  try {
    const project = path.join(base, 'project')
    await furnish(project)
    const data = path.join(base, 'data')
    const sandbox = new CommandSandbox({
      status: async () => status,
      environment,
      folder: path.join(data, 'sandbox'),
      withheld: [data],
      shown: [],
      workTrees: path.join(base, 'work-tree'),
      borrowed: () => undefined,
      openProxy: openHostProxy,
    })
    const tool = shellTool({
      keeper: new OutputKeeper(path.join(data, 'tool-output'), createIdentifiers({ nowMs: () => Date.now() })),
      sandbox,
      environment,
      background: { start: unasked, next: unasked, refusal: unasked },
    })
    const run = async (isOff: boolean, sessionId = 'ses_bench'): Promise<number> => {
      const call: ToolCall = {
        sessionId,
        messageId: 'msg_bench',
        callId: 'call_bench',
        directory: project,
        signal: new AbortController().signal,
        outputLimits: { linesMax: 100, bytesMax: 10_000 },
        sandbox: { isOff, variables: [] },
        edits: { formats: false, diagnoses: false },
        webSearch: undefined,
        permit: async () => ({ ok: true, value: undefined }),
        isAllowed: (action, text) => evaluatePermission(action, [{ text }], defaultPermissions) === 'allow',
        rulesKey: () => 'the rules of the built-in agent',
        answers: async () => undefined,
        question: () => Promise.reject(new Error('nobody is there to be asked')),
      }
      const began = performance.now()
      const outcome = await tool.run({ command: 'echo done' }, call)
      if (!outcome.ok || outcome.value.structured['exit'] !== 0) throw new Error(JSON.stringify(outcome))
      return performance.now() - began
    }
    const [outside, made, waiting]: [number[], number[], number[]] = [[], [], []]
    await run(false)
    for (let index = 0; index < calls; index += 1) {
      await delay(betweenMs)
      outside.push(await run(true))
      made.push(await run(false, `ses_${index}`))
      await delay(betweenMs)
      waiting.push(await run(false))
    }
    sandbox.close()
    return { outsideMs: median(outside), madeMs: median(made), waitingMs: median(waiting) }
  } finally {
    await rm(base, { recursive: true, force: true })
  }
}

/** A repository of some size, with what a sandbox looks for in it. */
async function furnish(project: string): Promise<void> {
  const put = async (name: string) => {
    await mkdir(path.dirname(path.join(project, name)), { recursive: true })
    await writeFile(path.join(project, name), '')
  }
  for (const name of ['.git/config', '.git/hooks/x.sample', '.github/workflows/ci.yml', 'AGENTS.md', '.env'])
    await put(name)
  for (let folder = 0; folder < folders; folder += 1) {
    for (let file = 0; file < filesInFolder; file += 1) await put(`src/part-${folder}/file-${file}.ts`)
  }
}

function median(values: readonly number[]): number {
  return [...values].sort((left, right) => left - right)[Math.floor(values.length / 2)] ?? 0
}
