// What goes beyond the shapes of fields. The service model `bedrock-runtime` (API 2023-09-30) has the operation, and 400 for
// its `ValidationException`; numbers and sizes of pictures and documents are in its descriptions of `Message` and
// `DocumentBlock`, here of the whole call, and width and height of pictures are not looked at. The other rules and the words have two sources: the service's documentation of the operation, and
// refusals as its users report them.
import { recordOf, textOf } from '#shared/kernel/json-record.ts'
import { type CallBlock, type CallTurn, type ConverseCall, tokensOf } from './converse-call.ts'
import type { ModelCard } from './model-cards.ts'

/** What the chat operation asks of a conversation whichever model answers. Undefined when there is nothing. */
export function converseFault(call: ConverseCall, card: ModelCard): string | undefined {
  return (
    turnsFault(call.messages ?? []) ??
    contentFault(call, card) ??
    toolsFault(call, card) ??
    pairingFault(call.messages ?? [], card) ??
    lengthFault(call, card)
  )
}

function turnsFault(turns: readonly CallTurn[]): string | undefined {
  const [first] = turns
  if (first === undefined) return 'The messages field is required. Add a message and try again.'
  if (first.role !== 'user') {
    return 'A conversation must start with a user message. Try again with a conversation that starts with a user message.'
  }
  const isRepeated = turns.some((turn, index) => turn.role === turns[index - 1]?.role)
  return isRepeated
    ? 'A conversation must alternate between user and assistant roles. Make sure the conversation alternates between user and assistant roles and try again.'
    : undefined
}

const imageBytesMax = 3_932_160
const documentBytesMax = 4_718_592
const imagesMax = 20
const documentsMax = 5

function contentFault(call: ConverseCall, card: ModelCard): string | undefined {
  for (const [at, turn] of (call.messages ?? []).entries()) {
    if (turn.content.length === 0) {
      return `The content field in the Message object at messages.${at} is empty. Add a ContentBlock object to the content field and try again.`
    }
    for (const [index, block] of turn.content.entries()) {
      const fault = blockFault(block, turn, card, `messages.${at}.content.${index}`)
      if (fault !== undefined) return fault
    }
    const documents = turn.content.filter((block) => block.document !== undefined)
    if (documents.length > 0 && !turn.content.some((block) => block.text !== undefined)) {
      return `The message at messages.${at} has a document block but no text block. Add a text block and try again.`
    }
    const names = documents.map((block) => block.document?.name)
    if (new Set(names).size < names.length) return `messages.${at}.content: duplicate document names are not allowed`
  }
  const blocks = (call.messages ?? []).flatMap((turn) => turn.content)
  if (blocks.filter((block) => block.image !== undefined).length > imagesMax) {
    return `The number of images exceeds the limit of ${imagesMax}`
  }
  if (blocks.filter((block) => block.document !== undefined).length > documentsMax) {
    return `The number of documents exceeds the limit of ${documentsMax}`
  }
  const blank = (call.system ?? []).findIndex((block) => block.text?.trim() === '')
  return blank < 0
    ? undefined
    : `The text field in the SystemContentBlock object at system.${blank} is blank. Add text to the text field, and try again.`
}

function blockFault(block: CallBlock, turn: CallTurn, card: ModelCard, path: string): string | undefined {
  if (block.text !== undefined && block.text.trim() === '') {
    return `The text field in the ContentBlock object at ${path} is blank. Add text to the text field, and try again.`
  }
  const isUsers = turn.role === 'user'
  for (const kind of ['image', 'document', 'video', 'toolResult'] as const) {
    if (block[kind] !== undefined && !isUsers) return `The ${kind} field at ${path} is only valid in user messages.`
  }
  for (const kind of ['toolUse', 'reasoningContent'] as const) {
    if (block[kind] !== undefined && isUsers) return `The ${kind} field at ${path} is only valid in assistant messages.`
  }
  const media = [block, ...(block.toolResult?.content ?? [])]
  for (const one of media) {
    const fault = mediaFault(one, card, path)
    if (fault !== undefined) return fault
  }
  if (block.toolResult?.status === 'error' && block.toolResult.content.length === 0) {
    return `The content field at ${path}.toolResult cannot be empty when status value is error.`
  }
  return undefined
}

function mediaFault(block: CallBlock, card: ModelCard, path: string): string | undefined {
  const unsupported = (field: string) => `This model doesn't support the ${field} field. Remove ${field} and try again.`
  if (block.audio !== undefined) return unsupported('audio')
  if (block.video !== undefined && !card.abilities.has('video')) return unsupported('video')
  if (block.image !== undefined) {
    if (!card.inputs.includes('IMAGE')) return unsupported('image')
    const { format, source } = block.image
    if (bytesIn(source) > imageBytesMax) return `The image at ${path} exceeds the maximum size of 3.75 MB`
    if (source.bytes !== undefined && !isImage(format, source.bytes)) {
      return `The model returned the following errors: ${path}.image.source.base64: Could not process image`
    }
  }
  if (block.document !== undefined) {
    if (!card.abilities.has('documents')) return unsupported('document')
    const { name, source } = block.document
    if (!/^[A-Za-z0-9\-()[\]]+(?:\s[A-Za-z0-9\-()[\]]+)*$/.test(name)) {
      return "The format of the document name is invalid. File names can only contain alphanumeric characters, whitespace characters, hyphens, parentheses, and square brackets. The name also can't contain more than one consecutive whitespace character."
    }
    if (bytesIn(source) > documentBytesMax) return `The document at ${path} exceeds the maximum size of 4.5 MB`
  }
  return undefined
}

function bytesIn({ bytes }: { readonly bytes?: string }): number {
  return bytes === undefined ? 0 : Buffer.byteLength(bytes, 'base64')
}

const beginnings: Readonly<Record<string, RegExp>> = {
  png: /^\x89PNG\r\n/,
  jpeg: /^\xff\xd8\xff/,
  gif: /^GIF8[79]a/,
  webp: /^RIFF....WEBP/s,
}

function isImage(format: string, base64: string): boolean {
  return beginnings[format]?.test(Buffer.from(base64.slice(0, 24), 'base64').toString('latin1')) === true
}

function toolsFault(call: ConverseCall, card: ModelCard): string | undefined {
  const blocks = (call.messages ?? []).flatMap((turn) => turn.content)
  const usesTools = blocks.some((block) => block.toolUse !== undefined || block.toolResult !== undefined)
  const config = call.toolConfig
  if (config === undefined) {
    return usesTools
      ? 'The toolConfig field must be defined when using toolUse and toolResult content blocks.'
      : undefined
  }
  if (!card.abilities.has('tools')) return "This model doesn't support tool use."
  const names = config.tools.flatMap((tool) => tool.toolSpec?.name ?? [])
  if (names.length === 0) return 'The toolConfig.tools field must hold at least one toolSpec.'
  const twice = names.find((name, index) => names.indexOf(name) !== index)
  if (twice !== undefined)
    return `The tool ${twice} is already defined at toolConfig.tools.${names.indexOf(twice)}.toolSpec.`
  for (const [index, tool] of config.tools.entries()) {
    const type = tool.toolSpec === undefined ? 'object' : textOf(recordOf(tool.toolSpec.inputSchema.json)?.['type'])
    if (type !== 'object') {
      return `The value at toolConfig.tools.${index}.toolSpec.inputSchema.json.type must be one of the following: object.`
    }
  }
  return toolChoiceFault(config, names, card)
}

function toolChoiceFault(
  { toolChoice }: NonNullable<ConverseCall['toolConfig']>,
  names: readonly string[],
  card: ModelCard,
): string | undefined {
  const kind = toolChoice?.any !== undefined ? 'any' : toolChoice?.tool !== undefined ? 'tool' : undefined
  if (kind !== undefined && !card.abilities.has('tool_choice')) {
    const field = `toolConfig.toolChoice.${kind}`
    return `This model doesn't support the ${field} field. Remove ${field} and try again.`
  }
  const wanted = toolChoice?.tool?.name
  return wanted === undefined || names.includes(wanted)
    ? undefined
    : `The tool ${wanted} of toolConfig.toolChoice.tool is not defined in toolConfig.tools.`
}

/** Every call is answered in the next turn, once, and no answer comes without a call. */
function pairingFault(turns: readonly CallTurn[], card: ModelCard): string | undefined {
  let open: readonly string[] = []
  for (const [at, turn] of turns.entries()) {
    const answered = turn.content.flatMap((block) => block.toolResult?.toolUseId ?? [])
    const missing = open.filter((id) => !answered.includes(id))
    if (missing.length > 0) {
      return `Expected toolResult blocks at messages.${at}.content for the following Ids: ${missing.join(', ')}`
    }
    if (answered.length > open.length || answered.some((id) => !open.includes(id))) {
      return `The number of toolResult blocks at messages.${at}.content exceeds the number of toolUse blocks of previous turn.`
    }
    const hasWords = turn.content.some((block) => block.toolResult === undefined && block.cachePoint === undefined)
    if (answered.length > 0 && hasWords && !card.abilities.has('words_beside_results')) {
      return `messages.${at}.content: Conversation blocks and tool result blocks cannot be provided in the same turn.`
    }
    open = turn.content.flatMap((block) => block.toolUse?.toolUseId ?? [])
    if (new Set(open).size < open.length) return `messages.${at}.content: \`tool_use\` ids must be unique`
  }
  return open.length === 0
    ? undefined
    : `Expected toolResult blocks at messages.${turns.length}.content for the following Ids: ${open.join(', ')}`
}

function lengthFault(call: ConverseCall, card: ModelCard): string | undefined {
  const limit = card.outputTokensMax
  if ((call.inferenceConfig?.maxTokens ?? 0) > limit) {
    return `The maximum tokens you requested exceeds the model limit of ${limit}. Try again with a maximum tokens value that is lower than ${limit}.`
  }
  return tokensOf(call) > card.contextTokens ? 'Input is too long for requested model.' : undefined
}
