import type { ReadMembers } from '../unread-members.ts'

/** What an item was called and how it ended; both are of the past. */
const past = ['type', 'id', 'status']
const text = ['type', 'text', 'annotations', 'logprobs', 'prompt_cache_breakpoint']
const call = [...past, 'call_id', 'name', 'namespace']
const output = [...past, 'call_id', 'output']

/** What of the items of a request, and of their parts, has a place with the provider. */
export const readItemMembers: ReadMembers = {
  message: [...past, 'role', 'content'],
  // Its words are a copy for people to read.
  reasoning: [...past, 'encrypted_content', 'summary', 'content'],
  summary_text: text,
  reasoning_text: text,
  function_call: [...call, 'arguments'],
  custom_tool_call: [...call, 'input'],
  local_shell_call: [...call, 'action'],
  shell_call: [...call, 'action'],
  apply_patch_call: [...call, 'operation'],
  function_call_output: output,
  custom_tool_call_output: output,
  local_shell_call_output: output,
  shell_call_output: output,
  apply_patch_call_output: output,
  additional_tools: [...past, 'role', 'tools'],
  input_text: text,
  output_text: text,
  text,
  refusal: ['type', 'refusal'],
  input_image: ['type', 'image_url', 'prompt_cache_breakpoint'],
  input_file: ['type', 'file_data', 'filename', 'prompt_cache_breakpoint'],
}

/** What of the tools that the client runs is told to the model. */
export const readToolMembers: ReadMembers = {
  function: ['type', 'name', 'description', 'parameters', 'strict'],
  custom: ['type', 'name', 'description', 'format'],
  namespace: ['type', 'name', 'tools'],
  local_shell: ['type'],
  shell: ['type'],
  apply_patch: ['type'],
}
