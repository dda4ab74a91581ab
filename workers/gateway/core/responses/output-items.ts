import { isRecord, type JsonRecord, parseJson, recordOf, textOf } from '#shared/kernel/json-record.ts'
import type { ReasoningBlock } from '../wire/converse-request.ts'
import type { ClientTool, ClientTools } from './client-tools.ts'
import { envelopeOf } from './reasoning-envelope.ts'

export type ItemStatus = 'in_progress' | 'completed' | 'incomplete'
export type OutputItem = JsonRecord & { readonly id: string; readonly type: string }

export function messageItem(id: string, text: string, status: ItemStatus): OutputItem {
  return {
    id,
    type: 'message',
    role: 'assistant',
    status,
    content: status === 'in_progress' ? [] : [outputText(text)],
  }
}

export function outputText(text: string): JsonRecord {
  return { type: 'output_text', text, annotations: [], logprobs: [] }
}

export function summaryText(text: string): JsonRecord {
  return { type: 'summary_text', text }
}

/** The readable part is the summary; what the client sends back is in `encrypted_content`, when it asked for it. */
export function reasoningItem(
  id: string,
  text: string,
  blocks: readonly ReasoningBlock[],
  modelId: string,
  includesEnvelope: boolean,
): OutputItem {
  return {
    id,
    type: 'reasoning',
    summary: text === '' ? [] : [summaryText(text)],
    ...(includesEnvelope && blocks.length > 0 ? { encrypted_content: envelopeOf(modelId, blocks) } : {}),
  }
}

/** A call under way or finished. `json` is the provider's input as text. */
export interface ToolCallDraft {
  readonly id: string
  readonly callId: string
  readonly tool: ClientTool | undefined
  readonly providerName: string
  readonly json: string
}

export function toolOf(clientTools: ClientTools, providerName: string): ClientTool | undefined {
  return clientTools.byProviderName.get(providerName)
}

const idPrefixes = {
  function: 'fc_',
  custom: 'ctc_',
  local_shell: 'lsh_',
  shell: 'sh_',
  apply_patch: 'apc_',
} as const

export function itemIdPrefix(tool: ClientTool | undefined): string {
  return idPrefixes[tool?.kind ?? 'function']
}

/** The provider's input of a call; undefined when it is not a JSON object, which means it was cut. */
export function inputOf(json: string): JsonRecord | undefined {
  const parsed = json.trim() === '' ? {} : parseJson(json)
  return isRecord(parsed) ? parsed : undefined
}

/** Gives a call back to the client in the shape of the tool it offered. */
export function toolCallItem(draft: ToolCallDraft, status: ItemStatus): OutputItem {
  const { id, callId, tool, json } = draft
  const base = { id, call_id: callId, status }
  const name = tool?.name ?? draft.providerName
  const namespace = tool?.namespace === undefined ? {} : { namespace: tool.namespace }
  const input = inputOf(json) ?? {}
  switch (tool?.kind) {
    case 'custom':
      return {
        ...base,
        type: 'custom_tool_call',
        name,
        ...namespace,
        input: status === 'in_progress' ? '' : (textOf(input['input']) ?? ''),
      }
    case 'local_shell':
      return { ...base, type: 'local_shell_call', action: { type: 'exec', env: {}, ...input } }
    case 'shell':
      return {
        ...base,
        type: 'shell_call',
        action: { timeout_ms: null, max_output_length: null, ...input },
        environment: null,
      }
    case 'apply_patch':
      return { ...base, type: 'apply_patch_call', operation: recordOf(input['operation']) ?? input }
    default: {
      const finished = json.trim() === '' ? '{}' : json
      return { ...base, type: 'function_call', name, ...namespace, arguments: status === 'in_progress' ? '' : finished }
    }
  }
}

/** Calls whose first event waits until they are whole: clients read their action at once. */
export function isShownWhole(tool: ClientTool | undefined): boolean {
  return tool?.kind === 'local_shell' || tool?.kind === 'shell' || tool?.kind === 'apply_patch'
}
