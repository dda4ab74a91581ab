/** The messages of a session as a model takes them. */
import { readFile, stat } from 'node:fs/promises'
import path from 'node:path'
import { fileURLToPath } from 'node:url'
import { takesThoughts } from '../core/model-family.ts'
import { sniffImage } from '../core/prompt-file.ts'
import type { AssistantMessage, Message, ModelRef, PromptFile, ToolContent, ToolPart } from '../core/session/message.ts'
import { imageBytesMax, promptFileBytesMax } from '../limits.ts'
import type { ModelContent, ModelMessage, ModelSaid } from './model-port.ts'

/** `reader` is the model that is asked: what another one thought is not shown to it, and its seals mean nothing there. */
export async function toModelMessages(messages: readonly Message[], reader: ModelRef): Promise<ModelMessage[]> {
  const result: ModelMessage[] = []
  const turn = messages.findLastIndex(({ type }) => type === 'user')
  for (const [at, message] of messages.entries()) {
    switch (message.type) {
      case 'user':
        result.push({ role: 'user', content: await userContent(message) })
        break
      case 'synthetic':
      case 'system':
        result.push({ role: 'user', content: [{ type: 'text', text: message.text }] })
        break
      case 'compaction':
        result.push({ role: 'user', content: [{ type: 'text', text: summaryText(message.summary, message.recent) }] })
        break
      case 'assistant':
        result.push(...(await assistantMessages(message, thoughtsFor(message, reader, at > turn))))
        break
      default:
        break
    }
  }
  return result
}

function summaryText(summary: string, recent: string): string {
  const tail = recent === '' ? '' : `\n\nThe newest part of the conversation, as it was:\n\n${recent}`
  return `This conversation was summarised to save room. The summary:\n\n${summary}${tail}`
}

async function userContent(message: Extract<Message, { type: 'user' }>): Promise<ModelContent[]> {
  const content: ModelContent[] = []
  for (const file of message.files ?? []) content.push(await fileContent(file))
  const mentions = (message.agents ?? []).map((agent) => agent.name)
  if (mentions.length > 0) content.push({ type: 'text', text: `The user names these agents: ${mentions.join(', ')}` })
  if (message.text !== '' || content.length === 0) content.push({ type: 'text', text: message.text })
  return content
}

/** What is no image, or a larger one than providers take, would make them refuse the whole session from then on. */
function imageContent(bytes: Buffer, name: string): ModelContent {
  const mime = sniffImage(bytes)
  if (mime === undefined) return { type: 'text', text: attached(name, '(not a PNG, JPEG, GIF or WebP image)') }
  if (bytes.length > imageBytesMax) {
    return { type: 'text', text: attached(name, `(an image of more than ${imageBytesMax} bytes: too large to show)`) }
  }
  return { type: 'file', mime, data: bytes.toString('base64'), name }
}

/** Text is put in as text: many providers refuse it as a file. */
async function fileContent(file: PromptFile): Promise<ModelContent> {
  const name = file.name ?? nameOf(file.uri)
  if (file.uri.startsWith('data:')) {
    const comma = file.uri.indexOf(',')
    const isBase64 = file.uri.slice(0, comma).endsWith(';base64')
    const body = file.uri.slice(comma + 1)
    if (file.mime.startsWith('text/')) {
      const text = isBase64 ? Buffer.from(body, 'base64').toString('utf8') : safeDecode(body)
      return { type: 'text', text: attached(name, text) }
    }
    if (file.mime.startsWith('image/')) return imageContent(Buffer.from(body, 'base64'), name)
    const data = isBase64 ? body : Buffer.from(safeDecode(body), 'utf8').toString('base64')
    return { type: 'file', mime: file.mime, data, name }
  }
  try {
    const target = fileURLToPath(file.uri)
    const facts = await stat(target)
    if (!facts.isFile()) return { type: 'text', text: attached(name, '(not a regular file)') }
    if (facts.size > promptFileBytesMax)
      return { type: 'text', text: attached(name, '(the file is too large to attach)') }
    const bytes = await readFile(target)
    if (file.mime.startsWith('image/')) return imageContent(bytes, name)
    if (file.mime === 'application/pdf') return { type: 'file', mime: file.mime, data: bytes.toString('base64'), name }
    return { type: 'text', text: attached(name, bytes.includes(0) ? '(a binary file)' : bytes.toString('utf8')) }
  } catch {
    return { type: 'text', text: attached(name, '(the file can no longer be read)') }
  }
}

function attached(name: string, text: string): string {
  return `Attached file ${name}:\n\n${text}`
}

function nameOf(uri: string): string {
  return uri.startsWith('data:') ? 'attachment' : path.posix.basename(safeDecode(uri))
}

function safeDecode(text: string): string {
  try {
    return decodeURIComponent(text)
  } catch {
    return text
  }
}

/** Which thoughts of a message go back: sealed ones always, plain ones within their turn, where the model goes on from them. */
function thoughtsFor({ model }: AssistantMessage, reader: ModelRef, isOfTurn: boolean): 'none' | 'sealed' | 'all' {
  if (model.providerID !== reader.providerID || model.id !== reader.id) return 'none'
  return isOfTurn && takesThoughts(model.id) ? 'all' : 'sealed'
}

/** A step that the provider broke off is left out when it called nothing: it is repeated by the next one. */
async function assistantMessages(
  message: AssistantMessage,
  thoughts: ReturnType<typeof thoughtsFor>,
): Promise<ModelMessage[]> {
  const text = message.content.map((part) => (part.type === 'text' ? part.text : '')).join('')
  const tools = message.content.filter(
    (part): part is ToolPart => part.type === 'tool' && part.state.status !== 'pending',
  )
  if (tools.length === 0 && (text === '' || message.error?.reason === 'provider')) return []
  return [
    { role: 'assistant', content: saidOf(message, thoughts) },
    ...tools.map(
      (part): ModelMessage => ({
        role: 'tool',
        id: part.id,
        name: part.name,
        text: toolText(part),
        isError: part.state.status !== 'completed',
      }),
    ),
    ...(await shownImages(tools)),
  ]
}

function saidOf(message: AssistantMessage, thoughts: ReturnType<typeof thoughtsFor>): ModelSaid[] {
  return message.content.flatMap((part): ModelSaid[] => {
    if (part.type === 'text') return part.text === '' ? [] : [{ type: 'text', text: part.text }]
    if (part.type === 'reasoning') {
      const metadata = part.provider?.metadata
      const goesBack = thoughts === 'all' || (thoughts === 'sealed' && metadata !== undefined)
      return goesBack ? [{ type: 'reasoning', text: part.text, metadata }] : []
    }
    if (part.state.status === 'pending') return []
    const { id, name, provider, state } = part
    return [{ type: 'call', id, name, input: state.input, metadata: provider?.metadata }]
  })
}

/** Images follow the outcomes as a message of their own: not every interface takes them inside of one. */
async function shownImages(tools: readonly ToolPart[]): Promise<ModelMessage[]> {
  const images = tools.flatMap(({ state }) =>
    state.status === 'completed' ? state.content.filter((item) => item.type === 'file') : [],
  )
  if (images.length === 0) return []
  const content = await Promise.all(images.map(fileContent))
  return [{ role: 'user', content: [{ type: 'text', text: 'The images that these calls answered with:' }, ...content] }]
}

function toolText(part: ToolPart): string {
  if (part.state.status === 'completed') return contentText(part.state.content)
  if (part.state.status === 'error') return part.state.error.message
  return 'The outcome of this call is not known'
}

function contentText(content: readonly ToolContent[]): string {
  return content
    .map((item) => (item.type === 'text' ? item.text : `[${item.mime} ${item.name ?? item.uri}]`))
    .join('\n')
}

/** The conversation as plain text, with long tool output cut, for a summary to be made of it. */
export function toTranscript(messages: readonly Message[], toolCharactersMax: number): string {
  const lines: string[] = []
  for (const message of messages) {
    if (message.type === 'user' || message.type === 'synthetic') lines.push(`User: ${message.text}`)
    else if (message.type === 'compaction') lines.push(`Earlier summary: ${message.summary}`, message.recent)
    else if (message.type === 'assistant') {
      for (const part of message.content) {
        if (part.type === 'text') lines.push(`Assistant: ${part.text}`)
        else if (part.type === 'tool') {
          const input = part.state.status === 'pending' ? '' : JSON.stringify(part.state.input)
          lines.push(`Tool ${part.name} ${cut(input, toolCharactersMax)}\n${cut(toolText(part), toolCharactersMax)}`)
        }
      }
    }
  }
  return lines.join('\n\n')
}

function cut(text: string, charactersMax: number): string {
  return text.length <= charactersMax ? text : `${text.slice(0, charactersMax)}… (cut)`
}
