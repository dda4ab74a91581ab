/** `svc` alone: which session it shows, and the terminal that it shows it in. */
import { ProcessTerminal } from '@earendil-works/pi-tui'
import type { AgentClient } from './client/agent-client.ts'
import { chooseSession, type SessionChoice, sayChoiceFault } from './client/choose-session.ts'
import { stylesFor } from './terminal/styles.ts'
import { TerminalClient } from './terminal/terminal-client.ts'

/** Resolves when its owner leaves; a text says why it could not begin. */
export async function showTerminal(
  client: AgentClient,
  choice: SessionChoice & { readonly environment: Readonly<Record<string, string | undefined>> },
): Promise<string | undefined> {
  const session = await chooseSession(client, choice)
  if (!session.ok) return sayChoiceFault(session.failure)
  const { directory } = session.value.location
  const terminal = new ProcessTerminal()
  await new TerminalClient({ client, directory, terminal, styles: stylesFor(choice.environment) }).run(session.value)
  return undefined
}
