/** Why a tool server cannot be used: words for a person, without a header, an address or an answer of the server. */
import { type FaultOf, type Sentences, sayBy } from '#shared/kernel/fault-words.ts'
import type { ToolServerFaultKind } from './vocabulary.ts'

/** Of the server's answer over HTTP. */
interface Status {
  readonly status: number
}
/** By the server, or by the system. */
interface Said {
  readonly said: string
}

const waysIn = 'sign in on the page or with "svc mcp login", or put a token into its "headers"'
const sentences = {
  asks_sign_in: `needs_auth: the tool server asks for a sign-in; ${waysIn}`,
  asks_more: `needs_auth: the tool server asks for more than was granted; ${waysIn}`,
  credentials: ({ status }: Status) => `The tool server refused the credentials (${status}); see its "headers"`,
  status: ({ status }: Status) => `The tool server answered with status ${status}`,
  unreachable: 'The tool server cannot be reached',
  late: 'The tool server took too long',
  ended: 'The tool server ended',
  page: 'The tool server waits for its page to be opened',
  refused: ({ said }: Said) => `The tool server failed: ${said}`,
  message_too_long: 'The tool server sent a message that is too long',
  not_started: 'The program cannot be started',
  input_closed: 'The program closed its input',
  other: ({ said }: Said) => said,
} satisfies Sentences & Readonly<Record<ToolServerFaultKind, unknown>>

export type ToolServerFault = FaultOf<typeof sentences>
export const sayToolServerFault = sayBy(sentences)
