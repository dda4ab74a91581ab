/** How a summary of a conversation is asked for, and which part of the conversation is kept as it was. */

/** The agents whose settings say how: what the first leaves unsaid is the second's. */
export const summaryAgents: readonly string[] = ['compaction', 'summary']

export const summaryInstructions = `You summarise a working session between a person and a coding agent, so that the agent can go on with the summary alone.
Write under these headings, and leave out a heading that has nothing to say:
Goal
What was decided, and why
What was done, with file paths
What is still open
Facts worth keeping (names, commands, errors, values)
Be exact with paths, names and numbers. Do not add anything that is not in the session.`

/**
 * Tokens that fit before a summary is due: an answer and a reserve must still find room. A small window gives up half of
 * itself to an answer at most, and a fifth to the reserve; otherwise a summary would be due after every step.
 */
export function tokensBeforeSummary(
  { context, output }: { readonly context: number; readonly output: number },
  { answerMax, reserveMax }: { readonly answerMax: number; readonly reserveMax: number },
): number {
  return Math.floor(context - Math.min(output, answerMax, context / 2) - Math.min(reserveMax, context / 5))
}

/** What stays as it was beside a summary: so little that there is room again. */
export function tailTokens(tokensMax: number | undefined, tailMax: number): number {
  return tokensMax === undefined ? tailMax : Math.min(tailMax, Math.floor(tokensMax / 3))
}

/** Index from which the newest messages fit into the budget; never splits before the last user message. */
export function tailStart(
  messages: readonly { readonly type: string; readonly characters: number }[],
  charactersMax: number,
): number {
  let used = 0
  let start = messages.length
  for (let index = messages.length - 1; index >= 0; index -= 1) {
    const message = messages[index]
    if (message === undefined) break
    used += message.characters
    if (used > charactersMax) break
    if (message.type === 'user' || message.type === 'synthetic') start = index
  }
  return start
}
