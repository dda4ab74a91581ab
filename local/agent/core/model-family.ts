/** What sets families of models apart beside what the catalogue says of each. */

/**
 * These go on from their own unsealed thoughts within a turn, and some refuse the next step without them (`reasoning_content`
 * in the documents of DeepSeek, Moonshot, Z.ai, MiniMax and Xiaomi). Others refuse a member that they do not know.
 */
const families = /(?:^|[/.-])(?:deepseek|kimi|glm|minimax|mimo)(?:$|[/.:-]|\d)/i

export function takesThoughts(modelId: string): boolean {
  return families.test(modelId)
}
