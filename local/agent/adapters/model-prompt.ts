/** What a model is given, in the form that the packages of all providers take it. */
import type { LanguageModelV4FunctionTool, LanguageModelV4Message, LanguageModelV4Prompt } from '@ai-sdk/provider'
import type { ModelContent, ModelMessage, ModelSaid, ModelTool } from '../runtime/model-port.ts'

type ToolMessage = Extract<LanguageModelV4Message, { role: 'tool' }>
type UserContent = Extract<LanguageModelV4Message, { role: 'user' }>['content'][number]
type AssistantContent = Extract<LanguageModelV4Message, { role: 'assistant' }>['content'][number]

export function toPrompt(
  system: string,
  messages: readonly ModelMessage[],
  mediaTypes: readonly string[] | undefined,
): LanguageModelV4Prompt {
  const prompt: LanguageModelV4Message[] = [{ role: 'system', content: system }]
  for (const message of messages) {
    const last = prompt.at(-1)
    if (message.role === 'user') {
      const content = message.content.map((one) => toUserContent(one, mediaTypes))
      prompt.push({ role: 'user', content: content.filter(saysSomething) })
    } else if (message.role === 'assistant') {
      prompt.push({ role: 'assistant', content: message.content.map(toAssistantContent).filter(saysSomething) })
    } else if (last?.role === 'tool') {
      // Results of calls that were made together belong together: some providers take them in one message only.
      last.content.push(toResult(message))
    } else prompt.push({ role: 'tool', content: [toResult(message)] })
  }
  return prompt
}

export function toTools(tools: readonly ModelTool[]): LanguageModelV4FunctionTool[] {
  return tools.map(({ name, description, parameters }) => ({
    type: 'function',
    name,
    description,
    inputSchema: parameters,
  }))
}

/** Some providers refuse a text without a character. */
function saysSomething(content: UserContent | AssistantContent): boolean {
  return content.type !== 'text' || content.text !== ''
}

function toUserContent(content: ModelContent, mediaTypes: readonly string[] | undefined): UserContent {
  if (content.type === 'text') return toText(content.text)
  const { mime, name, data } = content
  const kind = mime === 'application/pdf' ? 'pdf' : mime.split('/')[0]
  if (kind !== undefined && mediaTypes?.includes(kind) === false)
    return toText(`(${name ?? 'A file'} is left out: this model takes no ${mime})`)
  return {
    type: 'file',
    mediaType: mime,
    data: { type: 'data', data },
    ...(name === undefined ? {} : { filename: name }),
  }
}

function toAssistantContent(said: ModelSaid): AssistantContent {
  if (said.type === 'text') return toText(said.text)
  const metadata = said.metadata === undefined ? {} : { providerOptions: said.metadata as Record<string, never> }
  if (said.type === 'reasoning') return { type: 'reasoning', text: said.text, ...metadata }
  return { type: 'tool-call', toolCallId: said.id, toolName: said.name, input: said.input, ...metadata }
}

function toResult({
  id,
  name,
  text,
  isError,
}: Extract<ModelMessage, { role: 'tool' }>): ToolMessage['content'][number] {
  const value = text.toWellFormed()
  return {
    type: 'tool-result',
    toolCallId: id,
    toolName: name,
    output: isError ? { type: 'error-text', value } : { type: 'text', value },
  }
}

/** Half a character, as a cut leaves it, is refused by some providers. */
function toText(text: string) {
  return { type: 'text' as const, text: text.toWellFormed() }
}
