import { readFileSync } from 'node:fs'
import { openStorage } from '../../local/gateway/storage.ts'
import { webRandom } from '../../workers/gateway/adapters/edge-platform.ts'
import { composeGateway, type Gateway, type GatewayHost } from '../../workers/gateway/compose.ts'
import { type FakeBedrock, type FakeBedrockOptions, fakeAccess, startFakeBedrock } from './fake-bedrock.ts'
import { unwrap } from './unwrap.ts'

export const testKey = 'test-key-0123456789abcdef'

export const registries = {
  models: readFileSync(new URL('../../workers/gateway/config/models.toml', import.meta.url), 'utf8'),
  embeddings: readFileSync(new URL('../../workers/gateway/config/embeddings.toml', import.meta.url), 'utf8'),
  prices: readFileSync(new URL('../../workers/gateway/config/prices.toml', import.meta.url), 'utf8'),
}

type Storage = Pick<GatewayHost, 'keyStore' | 'responseStore' | 'routeStore'>

/** Keys, answers and routes of its own, which go with their process. */
export function storageInMemory(): Storage {
  const opened = unwrap(openStorage(undefined))
  const { keyStore, responseStore, routeStore } = opened
  return { keyStore, responseStore, routeStore }
}

export interface GatewayUnderTest {
  readonly gateway: Gateway
  readonly bedrock: FakeBedrock
  readonly logs: Record<string, unknown>[]
  readonly storage: Storage
  /** A request with the key, below the prefix. */
  call(path: string, init?: RequestInit & { readonly json?: unknown }): Promise<Response>
  [Symbol.asyncDispose](): Promise<void>
}

/** Environment of a gateway whose every outside address is the stand-in. */
export function environmentFor(bedrock: Pick<FakeBedrock, 'url'>): Record<string, string> {
  return {
    API_KEY: testKey,
    AWS_ENDPOINT_URL: bedrock.url,
    AWS_ACCESS_KEY_ID: fakeAccess.accessKeyId,
    AWS_SECRET_ACCESS_KEY: fakeAccess.secretAccessKey,
  }
}

export async function gatewayUnderTest(
  environment: Readonly<Record<string, string>> = {},
  host: Partial<GatewayHost> = {},
  options: FakeBedrockOptions = {},
): Promise<GatewayUnderTest> {
  const bedrock = await startFakeBedrock(options)
  const logs: Record<string, unknown>[] = []
  const { keyStore, responseStore, routeStore } = { ...storageInMemory(), ...host }
  const gateway = composeGateway(
    { ...environmentFor(bedrock), ...environment },
    {
      registries,
      keyStore,
      responseStore,
      routeStore,
      // No jitter: retries follow at once.
      random: { hex: webRandom.hex, fraction: () => 0 },
      log: (line) => logs.push(JSON.parse(line)),
      ...host,
    },
  )
  return {
    gateway,
    bedrock,
    logs,
    storage: { keyStore, responseStore, routeStore },
    call(path, init = {}) {
      const { json, ...rest } = init
      return gateway.fetch(
        new Request(`http://gateway.test/api/v1${path}`, {
          ...rest,
          method: rest.method ?? (json === undefined ? 'GET' : 'POST'),
          headers: {
            authorization: `Bearer ${testKey}`,
            ...(json === undefined ? {} : { 'content-type': 'application/json' }),
            ...Object.fromEntries(new Headers(rest.headers)),
          },
          ...(json === undefined ? {} : { body: JSON.stringify(json) }),
        }),
      )
    },
    [Symbol.asyncDispose]: () => bedrock.close(),
  }
}

/** The data of every frame of a server-sent stream, in order. */
export function framesOf(text: string): readonly { readonly event: string | undefined; readonly data: string }[] {
  return text
    .split('\n\n')
    .filter((block) => block !== '' && !block.startsWith(':'))
    .map((block) => {
      const lines = block.split('\n')
      const field = (name: string) => lines.find((line) => line.startsWith(`${name}: `))?.slice(name.length + 2)
      return { event: field('event'), data: field('data') ?? '' }
    })
}

export const sonnetFoundation = 'anthropic.claude-sonnet-4-5-20250929-v1:0'
export const sonnet = `us.${sonnetFoundation}`
export const opus = 'us.anthropic.claude-opus-4-6-v1'
