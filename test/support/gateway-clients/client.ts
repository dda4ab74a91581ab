/** What every client library of the matrix is asked to do, and with what. */
import { testKey } from '../gateway-under-test.ts'

export type Feature = 'text' | 'tools' | 'forced tool' | 'picture' | 'document' | 'json' | 'thinking' | 'cache marks'

export interface Wish {
  readonly model: string
  /** What the user says, one turn after another; tools are run in between. */
  readonly turns: readonly string[]
  readonly feature: Feature
  readonly stream: boolean
}

export interface GatewayClient {
  readonly name: string
  readonly dialect: 'chat' | 'responses' | 'messages'
  /** What the library has no way to say. */
  readonly lacks?: readonly Feature[]
  /** Has the whole conversation; the last text is its outcome. */
  converse(wish: Wish, fetch: typeof globalThis.fetch): Promise<string>
}

export const clientKey = testKey
export const baseURL = 'http://gateway.test/api/v1'

/** A picture and a document that the provider can be searched for. */
export const picture =
  'iVBORw0KGgoAAAANSUhEUgAAAAEAAAABCAYAAAAfFcSJAAAADUlEQVR42mNk+M9QDwADhgGAWjR9awAAAABJRU5ErkJggg=='
export const documentBase64 = Buffer.from(
  '%PDF-1.4\n1 0 obj<</Type/Catalog>>endobj\ntrailer<</Root 1 0 R>>\n',
).toString('base64')
export const pictureUrl = `data:image/png;base64,${picture}`
export const documentUrl = `data:application/pdf;base64,${documentBase64}`

export const weather = {
  name: 'weather',
  description: 'The weather of a place',
  parameters: {
    type: 'object',
    properties: { place: { type: 'string' } },
    required: ['place'],
    additionalProperties: false,
  },
} as const
export const weatherIn = (place: string) => `rain in ${place}`

export const answerSchema = {
  type: 'object',
  properties: { answer: { type: 'string' } },
  required: ['answer'],
  additionalProperties: false,
} as const

/** What stands in front of a mark. */
export const keptText = 'All that is known of the weather.'

export const usesTools = (feature: Feature) => ['tools', 'forced tool', 'thinking'].includes(feature)
/** A tool is forced once a turn: what it brought is to be answered. */
export const isForced = ({ feature }: Wish, step: number) => feature === 'forced tool' && step === 0

/** What a call of the tool answers, from its arguments as text. */
export function weatherOf(json: string): string {
  const { place } = JSON.parse(json) as { readonly place: string }
  return weatherIn(place)
}
