/** `svc mcp`: the tool servers of a folder, and the owner's sign-ins at them. */
import { setTimeout as sleep } from 'node:timers/promises'
import type { AgentClient, ClientFailure } from './client/agent-client.ts'
import type { WireToolServer } from './contract/tool-server.ts'
import { signInMsMax, toolServerStartMsMax } from './limits.ts'

export interface McpWorld {
  readonly directory: string
  write(line: string): void
  /** Shows the address to the owner's browser. */
  open(address: string): void
  /** Lines that he writes meanwhile: the address at which a browser of another machine ended. */
  readonly lines: AsyncIterable<string>
}

/** Resolves with the exit code. */
export async function manageToolServers(
  client: AgentClient,
  words: readonly string[],
  world: McpWorld,
): Promise<number> {
  const [verb, name] = words
  if (verb === 'login' && name !== undefined) return login(client, name, world)
  if (verb === 'logout' && name !== undefined) {
    const done = await client.ask('DELETE', pathOf(name, world))
    return done.ok ? 0 : told(done.failure, world)
  }
  let listed = await read(client, world)
  // As long as one of them may take to start.
  const deadline = performance.now() + toolServerStartMsMax
  while (listed.ok && listed.value.some(({ status }) => status === 'starting') && performance.now() < deadline) {
    await sleep(lookMs)
    listed = await read(client, world)
  }
  if (!listed.ok) return told(listed.failure, world)
  for (const server of listed.value) world.write(describeServer(server))
  return 0
}

function describeServer({ name, status, tools, message, signedIn }: WireToolServer): string {
  const said = {
    ready: `${tools} tools`,
    starting: 'takes its time to start',
    needs_auth: `asks for a sign-in: svc mcp login ${name}`,
    failed: message ?? 'failed',
    off: 'turned off',
  } as const
  return `${name}: ${said[status]}${signedIn ? ', signed in' : ''}`
}

const lookMs = 300

async function login(client: AgentClient, name: string, world: McpWorld): Promise<number> {
  const begun = await client.ask<{ readonly data: { readonly address: string } }>('POST', pathOf(name, world))
  if (!begun.ok) return told(begun.failure, world)
  world.write(`Open this address to sign in at ${name}:`)
  world.write(begun.value.data.address)
  world.write('If the browser is on another machine, paste the address here at which it ended.')
  world.open(begun.value.data.address)
  const over = new AbortController()
  try {
    return await Promise.race([untilSignedIn(client, name, world, over.signal), takePasted(client, name, world)])
  } finally {
    over.abort()
  }
}

async function untilSignedIn(client: AgentClient, name: string, world: McpWorld, over: AbortSignal): Promise<number> {
  const deadline = performance.now() + signInMsMax
  while (performance.now() < deadline && !over.aborted) {
    await sleep(lookMs)
    const listed = await read(client, world)
    if (!listed.ok) return told(listed.failure, world)
    if (listed.value.some((server) => server.name === name && server.signedIn)) {
      world.write(`Signed in at ${name}.`)
      return 0
    }
  }
  world.write('Nobody signed in.')
  return 1
}

/** Answers only when a pasted address was taken or there is nobody to paste one: then the browser alone can. */
async function takePasted(client: AgentClient, name: string, world: McpWorld): Promise<number> {
  for await (const line of world.lines) {
    const address = line.trim()
    if (address === '') continue
    const done = await client.ask('POST', pathOf(name, world, '/finish'), { address })
    if (done.ok) {
      world.write(`Signed in at ${name}.`)
      return 0
    }
    told(done.failure, world)
  }
  return new Promise(() => undefined)
}

async function read(client: AgentClient, world: McpWorld) {
  const listed = await client.ask<{ readonly data: readonly WireToolServer[] }>(
    'GET',
    `/api/mcp?directory=${encodeURIComponent(world.directory)}`,
  )
  return listed.ok ? ({ ok: true, value: listed.value.data } as const) : listed
}

function pathOf(name: string, { directory }: McpWorld, rest = ''): string {
  return `/api/mcp/${encodeURIComponent(name)}/sign-in${rest}?directory=${encodeURIComponent(directory)}`
}

function told({ message }: ClientFailure, world: McpWorld): number {
  world.write(message)
  return 1
}
