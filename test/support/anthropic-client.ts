import Anthropic from '@anthropic-ai/sdk'
import { type GatewayUnderTest, testKey } from './gateway-under-test.ts'

/** The official client of the messages dialect, talking to the gateway without a socket. */
export function anthropicClient(
  under: Pick<GatewayUnderTest, 'gateway'>,
  baseURL = 'http://gateway.test/api',
): Anthropic {
  return new Anthropic({
    apiKey: testKey,
    baseURL,
    maxRetries: 0,
    fetch: async (input, init) => under.gateway.fetch(new Request(input as string, init)),
  })
}
