/** `svc acp`: an editor starts it and speaks to it over standard input and output. */
import { Readable, Writable } from 'node:stream'
import { ndJsonStream } from '@agentclientprotocol/sdk'
import packageFacts from '../../package.json' with { type: 'json' }
import { editorAgent } from './acp/editor-agent.ts'
import type { AgentClient } from './client/agent-client.ts'
import { editorMessageBytesMax } from './limits.ts'

/** Resolves when the editor is gone. */
export async function serveEditor(client: AgentClient): Promise<void> {
  const input = Readable.toWeb(process.stdin) as ReadableStream<Uint8Array>
  const stream = ndJsonStream(Writable.toWeb(process.stdout), input, { maxMessageBytes: editorMessageBytesMax })
  await editorAgent(client, packageFacts.version).connect(stream).closed
}
