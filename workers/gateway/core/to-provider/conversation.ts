import type {
  CachePoint,
  ContentBlock,
  ConverseTurn,
  DocumentBlock,
  ImageBlock,
  ReasoningBlock,
  SystemBlock,
  ToolResultBlock,
  ToolUseBlock,
} from '../wire/converse-request.ts'
import { providerName } from './tool-name.ts'

export type ResultContent = { readonly text: string } | ImageBlock | DocumentBlock

interface OpenTurn {
  readonly role: 'user' | 'assistant'
  /** A turn of tool results is not mixed with words of the user: some models refuse that. */
  readonly isToolTurn: boolean
  readonly blocks: ContentBlock[]
}

/**
 * Collects a conversation in the order the client tells it and gives it the shape the provider insists on: roles
 * alternate, the first turn is the user's, no blank text, every tool result answers a call of the turn before it and
 * every call is answered.
 */
export class Conversation {
  readonly #system: SystemBlock[] = []
  #hasMarks = false
  #hasLongMarks = false
  #hasUnpaired = false
  readonly #turns: OpenTurn[] = []

  system(text: string): void {
    if (text.trim() !== '') this.#system.push({ text })
  }

  /** A client's own mark: everything up to here is to be cached. Where there is one, none is placed for the client. */
  mark(role: 'system' | 'user' | 'assistant', ttl: '5m' | '1h' | undefined): void {
    const point: CachePoint = { cachePoint: ttl === '1h' ? { type: 'default', ttl } : { type: 'default' } }
    const place = role === 'system' ? this.#system : this.#turns.at(-1)?.blocks
    const last = place?.at(-1)
    if (place === undefined || last === undefined || 'cachePoint' in last) return
    place.push(point)
    this.#hasMarks = true
    this.#hasLongMarks ||= ttl === '1h'
  }

  /** Whether the turns that were asked for lack results without a call, calls with an id that was taken, or bare reasoning. */
  hasUnpaired(): boolean {
    return this.#hasUnpaired
  }

  hasLongMarks(): boolean {
    return this.#hasLongMarks
  }

  hasMarks(): boolean {
    return this.#hasMarks
  }

  user(blocks: readonly ContentBlock[]): void {
    this.#add('user', false, blocks)
  }

  assistant(blocks: readonly ContentBlock[]): void {
    this.#add('assistant', false, blocks.map(renamed))
  }

  toolResult(toolUseId: string, content: readonly ResultContent[], status?: 'success' | 'error'): void {
    const kept = content.filter((part) => !isBlank(part))
    const block: ToolResultBlock = {
      toolResult: {
        // Ids of other makers may hold signs the provider refuses; the call is renamed alike.
        toolUseId: providerName(toolUseId),
        content: kept.length === 0 ? [{ text: '(no output)' }] : kept,
        ...(status === undefined ? {} : { status }),
      },
    }
    this.#add('user', true, [block])
  }

  /**
   * Reasoning, only once however many calls carry it. A turn begins with its first; what comes later was reasoned between
   * two calls, and follows what is there.
   */
  reasoning(blocks: readonly ReasoningBlock[]): void {
    if (blocks.length === 0) return
    const turn = this.#open('assistant', false)
    const present = new Set(turn.blocks.filter(isReasoning).map((block) => JSON.stringify(block)))
    const missing = blocks.filter((block) => !present.has(JSON.stringify(block)))
    if (present.size === 0) turn.blocks.unshift(...missing)
    else turn.blocks.push(...missing)
  }

  systemBlocks(): readonly SystemBlock[] {
    return this.#system
  }

  turns(rules: { readonly canEndOnAssistant: boolean }): readonly ConverseTurn[] {
    const paired = this.#pairedTurns()
    const merged: { role: 'user' | 'assistant'; content: ContentBlock[] }[] = []
    for (const turn of paired) {
      // Reasoning that led to nothing is not a turn.
      if (turn.blocks.every((block) => isReasoning(block) || 'cachePoint' in block)) {
        this.#hasUnpaired = true
        continue
      }
      const last = merged.at(-1)
      if (last?.role === turn.role) last.content.push(...turn.blocks)
      else merged.push({ role: turn.role, content: [...turn.blocks] })
    }
    if (merged[0]?.role === 'assistant') merged.unshift({ role: 'user', content: [{ text: 'Continue.' }] })
    if (merged.at(-1)?.role === 'assistant' && !rules.canEndOnAssistant) {
      merged.push({ role: 'user', content: [{ text: 'Continue.' }] })
    }
    for (const turn of merged) {
      const hasDocument = turn.content.some((block) => 'document' in block)
      // The provider takes a document only beside words.
      if (hasDocument && !turn.content.some((block) => 'text' in block)) {
        turn.content.push({ text: 'The document is attached.' })
      }
    }
    // A trailing blank at the end of a prefilled answer is refused by several models.
    return merged.map((turn, index) =>
      index === merged.length - 1 && turn.role === 'assistant' ? withoutTrailingSpace(turn) : turn,
    )
  }

  /** Drops results nothing asked for and repeated ones; answers calls that were never answered. */
  #pairedTurns(): readonly OpenTurn[] {
    const kept: OpenTurn[] = []
    let open: string[] = []
    const answerOpen = () => {
      if (open.length === 0) return
      const blocks = open.map(
        (toolUseId): ToolResultBlock => ({
          toolResult: { toolUseId, content: [{ text: '(no output)' }], status: 'error' },
        }),
      )
      const last = kept.at(-1)
      if (last?.isToolTurn === true) last.blocks.push(...blocks)
      else kept.push({ role: 'user', isToolTurn: true, blocks })
      open = []
    }
    for (const turn of this.#turns) {
      if (turn.isToolTurn) {
        const answered: ContentBlock[] = []
        for (const block of turn.blocks) {
          if ('cachePoint' in block && answered.length > 0) answered.push(block)
          if (!('toolResult' in block)) continue
          if (!open.includes(block.toolResult.toolUseId)) {
            this.#hasUnpaired = true
            continue
          }
          open = open.filter((id) => id !== block.toolResult.toolUseId)
          answered.push(block)
        }
        if (answered.length > 0) kept.push({ ...turn, blocks: answered })
        continue
      }
      answerOpen()
      const blocks = withoutRepeatedCalls(turn.blocks)
      if (blocks.length < turn.blocks.length) this.#hasUnpaired = true
      kept.push({ ...turn, blocks })
      if (turn.role === 'assistant') open = blocks.filter(isToolUse).map((block) => block.toolUse.toolUseId)
    }
    answerOpen()
    return kept
  }

  #open(role: 'user' | 'assistant', isToolTurn: boolean): OpenTurn {
    const last = this.#turns.at(-1)
    if (last !== undefined && last.role === role && last.isToolTurn === isToolTurn) return last
    const turn: OpenTurn = { role, isToolTurn, blocks: [] }
    this.#turns.push(turn)
    return turn
  }

  #add(role: 'user' | 'assistant', isToolTurn: boolean, blocks: readonly ContentBlock[]): void {
    const kept = blocks.filter((block) => !isBlank(block))
    if (kept.length > 0) this.#open(role, isToolTurn).blocks.push(...kept)
  }
}

/** Calls that other makers' models made may have ids and names that the provider refuses. */
function renamed(block: ContentBlock): ContentBlock {
  if (!isToolUse(block)) return block
  const { toolUseId, name, input } = block.toolUse
  return { toolUse: { toolUseId: providerName(toolUseId), name: providerName(name), input } }
}

/** One id can be answered once, so of two calls with one id the first stands. */
function withoutRepeatedCalls(blocks: readonly ContentBlock[]): ContentBlock[] {
  const seen = new Set<string>()
  return blocks.filter((block) => {
    if (!isToolUse(block)) return true
    const isNew = !seen.has(block.toolUse.toolUseId)
    seen.add(block.toolUse.toolUseId)
    return isNew
  })
}

function isBlank(block: ContentBlock | ResultContent): boolean {
  return 'text' in block && block.text.trim() === ''
}

function isReasoning(block: ContentBlock): block is ReasoningBlock {
  return 'reasoningContent' in block
}

export function isToolUse(block: ContentBlock): block is ToolUseBlock {
  return 'toolUse' in block
}

function withoutTrailingSpace(turn: ConverseTurn): ConverseTurn {
  const last = turn.content.at(-1)
  if (last === undefined || !('text' in last)) return turn
  return { ...turn, content: [...turn.content.slice(0, -1), { text: last.text.trimEnd() }] }
}
