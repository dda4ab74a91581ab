/** Tools of servers that the user's own configuration names: started when a step needs them, ended when nobody does. */
import { z } from '@hono/zod-openapi'
import type { ToolServerConfiguration } from '../contract/configuration.ts'
import type { JsonObject } from '../core/session/message.ts'
import { toolServerToolsMax } from '../limits.ts'
import { declareTool, type Tool, toolProblem } from './tool-port.ts'
import type { OutputKeeper } from './tools/output-keeper.ts'

export interface ToolServerPort {
  request(method: string, params: unknown, timeoutMs: number, signal?: AbortSignal): Promise<unknown>
  notify(method: string, params: unknown): void
  readonly isOpen: boolean
  close(): void
}

export interface ToolServerDeps {
  readonly connect: (configuration: ToolServerConfiguration, directory: string) => ToolServerPort
  readonly keeper: OutputKeeper
  readonly idleMs: number
  readonly startMsMax: number
  readonly callMsMax: number
  readonly onFault: (name: string, cause: unknown) => void
}

interface Running {
  readonly connection: ToolServerPort
  readonly tools: Promise<readonly Tool[]>
  idle: ReturnType<typeof setTimeout> | undefined
}

const protocolVersion = '2025-06-18'
const listedTools = z.looseObject({
  tools: z.array(
    z.looseObject({
      name: z.string().regex(/^[A-Za-z0-9_.-]{1,100}$/),
      description: z.string().optional(),
      inputSchema: z.record(z.string(), z.unknown()),
    }),
  ),
  nextCursor: z.string().optional(),
})
const callResult = z.looseObject({
  content: z.array(z.looseObject({ type: z.string(), text: z.string().optional() })).default([]),
  isError: z.boolean().optional(),
})

export class ToolServers {
  readonly #deps: ToolServerDeps
  readonly #running = new Map<string, Running>()

  constructor(deps: ToolServerDeps) {
    this.#deps = deps
  }

  /** Tools of every server that can be reached, named `<server>_<tool>`. One that cannot is reported and left out. */
  async tools(servers: Readonly<Record<string, ToolServerConfiguration>>, directory: string): Promise<Tool[]> {
    const lists = await Promise.all(
      Object.entries(servers).map(async ([name, configuration]) => {
        if (configuration.enabled === false) return []
        try {
          return await this.#serve(name, configuration, directory).tools
        } catch (cause) {
          this.#deps.onFault(name, cause)
          return []
        }
      }),
    )
    return lists.flat()
  }

  close(): void {
    for (const key of [...this.#running.keys()]) this.#end(key)
  }

  #serve(name: string, configuration: ToolServerConfiguration, directory: string): Running {
    const key = JSON.stringify([name, configuration, directory])
    const known = this.#running.get(key)
    if (known?.connection.isOpen === true) {
      this.#touch(key, known)
      return known
    }
    const connection = this.#deps.connect(configuration, directory)
    const running: Running = { connection, tools: this.#open(key, name, connection), idle: undefined }
    this.#running.set(key, running)
    this.#touch(key, running)
    running.tools.catch(() => this.#end(key))
    return running
  }

  #touch(key: string, running: Running): void {
    clearTimeout(running.idle)
    running.idle = setTimeout(() => this.#end(key), this.#deps.idleMs)
    running.idle.unref()
  }

  #end(key: string): void {
    const running = this.#running.get(key)
    if (running === undefined) return
    clearTimeout(running.idle)
    this.#running.delete(key)
    running.connection.close()
  }

  async #open(key: string, name: string, connection: ToolServerPort): Promise<readonly Tool[]> {
    const { startMsMax } = this.#deps
    const clientInfo = { name: 'svc', version: '1' }
    await connection.request('initialize', { protocolVersion, capabilities: {}, clientInfo }, startMsMax)
    connection.notify('notifications/initialized', {})
    const tools: Tool[] = []
    let cursor: string | undefined
    do {
      const params = cursor === undefined ? {} : { cursor }
      const page = listedTools.parse(await connection.request('tools/list', params, startMsMax))
      for (const { name: tool, description, inputSchema } of page.tools) {
        tools.push(this.#declare(key, `${name}_${tool}`, tool, description ?? '', inputSchema))
      }
      cursor = page.nextCursor
    } while (cursor !== undefined && tools.length < toolServerToolsMax)
    return tools.slice(0, toolServerToolsMax)
  }

  #declare(key: string, name: string, remoteName: string, description: string, parameters: JsonObject): Tool {
    return declareTool({
      name,
      description,
      input: z.looseObject({}),
      parameters,
      isReadOnly: false,
      run: async (input, call) => {
        const permitted = await call.permit({ action: name, resources: [{ text: '*' }], save: ['*'] })
        if (!permitted.ok) return permitted
        const running = this.#running.get(key)
        if (running === undefined) return toolProblem('The tool server is not running any more; try again')
        this.#touch(key, running)
        const params = { name: remoteName, arguments: input }
        const answer = await running.connection.request('tools/call', params, this.#deps.callMsMax, call.signal)
        this.#touch(key, running)
        const result = callResult.safeParse(answer)
        if (!result.success) return toolProblem('The tool server answered in a shape that is not known')
        const text = result.data.content.map(textOf).join('\n')
        return result.data.isError === true ? toolProblem(text) : this.#deps.keeper.text(text, {})
      },
    })
  }
}

function textOf(item: { readonly type: string; readonly text?: string | undefined }): string {
  return item.type === 'text' ? (item.text ?? '') : `(${item.type})`
}
