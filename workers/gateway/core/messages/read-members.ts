import type { ReadMembers } from '../unread-members.ts'

/** What of a message's blocks has a place with the provider. */
export const readBlockMembers: ReadMembers = {
  text: ['type', 'text', 'cache_control'],
  image: ['type', 'source', 'cache_control'],
  document: ['type', 'source', 'title', 'context', 'citations', 'cache_control'],
  search_result: ['type', 'title', 'content', 'cache_control'],
  thinking: ['type', 'thinking', 'signature'],
  redacted_thinking: ['type', 'data'],
  // Who called it is always the model itself: other callers are tools that the vendor runs.
  tool_use: ['type', 'id', 'name', 'input', 'caller', 'cache_control'],
  tool_result: ['type', 'tool_use_id', 'content', 'is_error', 'cache_control'],
}

export const readToolMembers: ReadMembers = {
  custom: ['type', 'name', 'description', 'input_schema', 'strict', 'cache_control'],
}
