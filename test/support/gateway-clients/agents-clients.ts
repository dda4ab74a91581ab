import {
  Agent,
  type AgentInputItem,
  type Model,
  OpenAIChatCompletionsModel,
  OpenAIResponsesModel,
  Runner,
  tool,
} from '@openai/agents'
import type OpenAI from 'openai'
import { z } from 'zod'
import {
  documentUrl,
  type GatewayClient,
  isForced,
  keptText,
  pictureUrl,
  usesTools,
  type Wish,
  weather,
  weatherIn,
} from './client.ts'
import { openaiOver } from './openai-clients.ts'

function contentOf({ feature }: Wish, text: string) {
  const said = { type: 'input_text' as const, text }
  if (feature === 'picture') return [{ type: 'input_image' as const, image: pictureUrl }, said]
  if (feature === 'document') return [{ type: 'input_file' as const, file: documentUrl, filename: 'a.pdf' }, said]
  if (feature === 'cache marks') {
    const promptCacheBreakpoint = { mode: 'explicit' as const }
    return [{ type: 'input_text' as const, text: keptText, promptCacheBreakpoint }, said]
  }
  return text
}

function converseBy(modelOver: (client: OpenAI, id: string) => Model): GatewayClient['converse'] {
  return async (wish, fetch) => {
    const settings = {
      name: 'Watcher',
      instructions: 'Be brief.',
      model: modelOver(openaiOver(fetch), wish.model),
      ...(usesTools(wish.feature)
        ? {
            tools: [
              tool({
                name: weather.name,
                description: weather.description,
                parameters: z.object({ place: z.string() }),
                execute: async ({ place }) => weatherIn(place),
              }),
            ],
          }
        : {}),
      // It takes the wish back by itself once the tool was called.
      ...(isForced(wish, 0) ? { modelSettings: { toolChoice: 'required' as const } } : {}),
      ...(wish.feature === 'thinking'
        ? { modelSettings: { reasoning: { effort: 'low' as const, summary: 'auto' as const } } }
        : {}),
    }
    const isJson = wish.feature === 'json'
    const agent = isJson
      ? new Agent({ ...settings, outputType: z.object({ answer: z.string() }) })
      : new Agent(settings)
    // Traces would be sent to the maker's own address.
    const runner = new Runner({ tracingDisabled: true })
    let history: AgentInputItem[] = []
    let output: unknown
    for (const turn of wish.turns) {
      history.push({ role: 'user', content: contentOf(wish, turn) })
      if (wish.stream) {
        const result = await runner.run(agent as Agent, history, { stream: true })
        await result.completed
        history = result.history
        output = result.finalOutput
      } else {
        const result = await runner.run(agent as Agent, history)
        history = result.history
        output = result.finalOutput
      }
    }
    return typeof output === 'string' ? output : JSON.stringify(output)
  }
}

export const agentsResponses: GatewayClient = {
  name: '@openai/agents, responses',
  dialect: 'responses',
  converse: converseBy((client, id) => new OpenAIResponsesModel(client, id)),
}

export const agentsChat: GatewayClient = {
  name: '@openai/agents, chat',
  dialect: 'chat',
  converse: converseBy((client, id) => new OpenAIChatCompletionsModel(client, id)),
}
