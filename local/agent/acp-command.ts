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
  const stream = editorStream(input, Writable.toWeb(process.stdout))
  await editorAgent(client, packageFacts.version).connect(stream).closed
}

/** The messages of an editor, one a line. A line past the bound ends the stream. */
export function editorStream(input: ReadableStream<Uint8Array>, output: WritableStream<Uint8Array>) {
  return ndJsonStream(output, input, { maxMessageBytes: editorMessageBytesMax })
}
