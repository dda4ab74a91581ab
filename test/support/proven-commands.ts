/** Which test or CI script really runs each command that the documents tell a reader to type. */

interface ProvenCommand {
  /** As documented. A trailing `…` stands for any further arguments. */
  readonly command: string
  /** The file that runs it, and a text in that file by which a reader finds where. */
  readonly runBy: string
  readonly evidence: string
}

export const provenCommands: readonly ProvenCommand[] = [
  { command: 'npm run format', runBy: 'test/node/guards/commands.test.ts', evidence: "'npm', ['run', 'format']" },
  {
    command: 'npx vitest run --project pure …',
    runBy: 'test/node/guards/commands.test.ts',
    evidence: "'npx', ['vitest', 'run', '--project', 'pure',",
  },
]

/** Documented, and not run by any test yet: the command and what has to come first. */
export const unprovenCommands: Readonly<Record<string, string>> = {
  'npm start': 'The host of the Worker script on one machine.',
  'npm test': 'The CI script.',
  'npm run check': 'The CI script.',
}
