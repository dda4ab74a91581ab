/**
 * A tool server at an address: the streaming transport, or the older one with two addresses. Keeps what it is asked. Methods,
 * sessions and both transports follow the Model Context Protocol's specification (version 2025-11-25, the older transport
 * 2024-11-05); what a client is told besides is judged by the protocol's own client in the tests.
 */

import { createServer, type IncomingMessage, type ServerResponse } from 'node:http'
import { endServer, listenToKept } from './loopback.ts'

interface Message {
  readonly id?: number
  readonly method: string
  // biome-ignore lint/suspicious/noExplicitAny: parameters of every method; each answer reads its own
  readonly params?: any
}

export interface EndpointOptions {
  /** `stream`: answers as events; `json`: as one body; `old`: the transport with two addresses only. */
  readonly transport: 'stream' | 'json' | 'old'
  /** What every request must carry: these words, or what is judged good. */
  readonly authorization?: string | ((sent: string | undefined) => 'good' | 'none' | 'narrow')
  /** What a refusal says beside where its metadata is. */
  readonly scope?: string
  /** Of the resource, as its metadata says it. */
  readonly authorizationServers?: readonly string[]
}

const png = Buffer.from([0x89, 0x50, 0x4e, 0x47, 0x0d, 0x0a, 0x1a, 0x0a, 1, 2, 3]).toString('base64')

export async function startFakeToolEndpoint(options: EndpointOptions) {
  const requests: { readonly method: string; readonly path: string; readonly session: string | undefined }[] = []
  const calls: string[] = []
  let sessions = 0
  let known = new Set<string>()
  let tools = ['echo', 'picture', 'hang', 'flood', 'odd.name/x']
  let answers = 0
  const listeners = new Set<ServerResponse>()

  function judge(sent: string | undefined): 'good' | 'none' | 'narrow' {
    const { authorization } = options
    if (typeof authorization === 'function') return authorization(sent)
    return authorization === undefined || sent === authorization ? 'good' : 'none'
  }

  function resultOf({ method, params }: Message): unknown {
    if (method === 'initialize') {
      const { protocolVersion } = params
      const capabilities = { tools: { listChanged: true } }
      return { protocolVersion, capabilities, serverInfo: { name: 'fake', version: '1' } }
    }
    if (method === 'tools/list') return { tools: tools.map((name) => ({ name, inputSchema: { type: 'object' } })) }
    calls.push(params.name)
    if (params.name === 'hang') return undefined
    if (params.name === 'picture') {
      return {
        content: [
          { type: 'text', text: 'Look' },
          { type: 'image', mimeType: 'image/png', data: png },
        ],
      }
    }
    if (params.name === 'flood') return { content: [{ type: 'text', text: 'x'.repeat(9 * 1024 * 1024) }] }
    return { content: [{ type: 'text', text: `echo: ${params.arguments.text ?? params.name}` }] }
  }

  function answer(response: ServerResponse, message: Message): void {
    const result = resultOf(message)
    const body = JSON.stringify({ jsonrpc: '2.0', id: message.id, result })
    if (options.transport === 'old') {
      response.writeHead(202).end()
      if (result !== undefined) for (const listener of listeners) listener.write(`event: message\ndata: ${body}\n\n`)
      return
    }
    if (message.method === 'initialize') {
      sessions += 1
      known.add(`s${sessions}`)
      response.setHeader('mcp-session-id', `s${sessions}`)
    }
    const isStream = options.transport === 'stream'
    response.writeHead(200, { 'content-type': isStream ? 'text/event-stream' : 'application/json' })
    if (result === undefined) {
      answers += 1
      response.on('close', () => {
        answers -= 1
      })
      response.flushHeaders()
    } else response.end(isStream ? `event: message\ndata: ${body}\n\n` : body)
  }

  async function serve(request: IncomingMessage, response: ServerResponse): Promise<void> {
    const session = request.headers['mcp-session-id'] as string | undefined
    const method = request.method ?? ''
    const target = request.url ?? ''
    requests.push({ method, path: target, session })
    if (target === '/.well-known/oauth-protected-resource' && options.authorizationServers !== undefined) {
      const resource = `http://${request.headers.host}/mcp`
      response.writeHead(200, { 'content-type': 'application/json' })
      response.end(JSON.stringify({ resource, authorization_servers: options.authorizationServers }))
      return
    }
    const judged = judge(request.headers.authorization)
    if (judged !== 'good') {
      // As a server says it that wants a sign-in in a browser.
      const metadata = `http://${request.headers.host}/.well-known/oauth-protected-resource`
      const scope = options.scope === undefined ? '' : `, scope="${options.scope}"`
      const error = judged === 'narrow' ? ', error="insufficient_scope"' : ''
      response.writeHead(judged === 'narrow' ? 403 : 401, {
        'www-authenticate': `Bearer resource_metadata="${metadata}"${scope}${error}`,
      })
      response.end('canary in the answer')
      return
    }
    if (method === 'GET') {
      const isRefused = options.transport === 'json'
      response.writeHead(isRefused ? 405 : 200, { 'content-type': 'text/event-stream' })
      if (isRefused) response.end()
      else {
        listeners.add(response)
        response.on('close', () => listeners.delete(response))
        if (options.transport === 'old') response.write('event: endpoint\ndata: /messages\n\n')
        else response.flushHeaders()
      }
      return
    }
    if (method === 'DELETE') {
      known.delete(session ?? '')
      response.writeHead(200).end()
      return
    }
    const chunks: Buffer[] = []
    for await (const chunk of request) chunks.push(chunk as Buffer)
    if (options.transport === 'old' && target !== '/messages') {
      response.writeHead(405).end()
      return
    }
    const message = JSON.parse(Buffer.concat(chunks).toString('utf8')) as Message
    if (options.transport !== 'old' && message.method !== 'initialize' && !known.has(session ?? '')) {
      response.writeHead(404).end()
      return
    }
    if (message.id === undefined) response.writeHead(202).end()
    else answer(response, message)
  }

  const server = createServer((request, response) => void serve(request, response))
  const { port } = await listenToKept(server)
  return {
    url: `http://127.0.0.1:${port}/mcp`,
    requests,
    calls,
    /** Sessions that were opened, and those that still are. */
    opened: () => sessions,
    open: () => known.size,
    /** Calls that were begun and neither answered nor given up. */
    hanging: () => answers,
    listening: () => listeners.size,
    forgetSessions() {
      known = new Set()
    },
    setTools(names: string[]) {
      tools = names
      const notice = JSON.stringify({ jsonrpc: '2.0', method: 'notifications/tools/list_changed' })
      for (const listener of listeners) listener.write(`event: message\ndata: ${notice}\n\n`)
    },
    close: () => endServer(server),
  }
}
