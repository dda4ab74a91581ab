import OpenAI from 'openai'
import { type GatewayUnderTest, testKey } from './gateway-under-test.ts'

/** The official client, talking to the gateway without a socket. */
export function openaiClient(under: Pick<GatewayUnderTest, 'gateway'>): OpenAI {
  return new OpenAI({
    apiKey: testKey,
    baseURL: 'http://gateway.test/api/v1',
    maxRetries: 0,
    fetch: (url, init) => under.gateway.fetch(new Request(url, init)),
  })
}
