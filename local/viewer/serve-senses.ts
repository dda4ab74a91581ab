/** The tools over standard input and output, by the Model Context Protocol, until whoever asks is gone. */

import type { Readable, Writable } from 'node:stream'
import { finished } from 'node:stream/promises'
import { StdioServerTransport, serveStdio } from '@modelcontextprotocol/server/stdio'
import { messageBytesMax } from './limits.ts'
import type { Senses } from './senses.ts'
import { sensesServer } from './senses-server.ts'

export interface SensesConnection {
  readonly input: Readable
  readonly output: Writable
  readonly version: string
  readonly signal: AbortSignal
  readonly report: (message: string) => void
}

export async function serveSenses(senses: Senses, connection: SensesConnection): Promise<void> {
  const { input, output, signal, report } = connection
  const handle = serveStdio(() => sensesServer(senses, connection.version), {
    transport: new StdioServerTransport(input, output, { maxBufferSize: messageBytesMax }),
    // Nothing changes about these tools while someone is connected.
    maxSubscriptions: 0,
    onerror: (cause) => report(cause.message),
  })
  try {
    await finished(input, { writable: false, signal })
  } catch (error) {
    if (!signal.aborted) report(String(error))
  }
  await handle.close()
}
