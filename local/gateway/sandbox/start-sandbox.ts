import { randomBytes } from 'node:crypto'
import { accountIn } from './account.ts'
import { serveProvider } from './provider-wire.ts'
import { standInAnswer } from './stand-in.ts'

// What it starts, and after which sources (API 2023-09-30 and 2023-04-20), stand-in.ts and the files beside it say.

export interface Sandbox {
  readonly url: string
  /** Settings under which a gateway uses this sandbox as its provider. */
  readonly variables: Readonly<Record<string, string>>
  close(): Promise<void>
}

/**
 * A provider for the machine without an account: it speaks the provider's own wire, takes only the identity made up
 * for it, and is no model.
 */
export async function startSandbox(region = 'us-west-2'): Promise<Sandbox> {
  const account = accountIn(region)
  const identity = {
    accessKeyId: `SANDBOX${randomBytes(6).toString('hex').toUpperCase()}`,
    secretAccessKey: randomBytes(30).toString('base64url'),
  }
  const server = await serveProvider({
    port: 0,
    accepts: identity,
    answer: (call) => standInAnswer(call, { account: () => account }),
  })
  return {
    url: server.url,
    variables: {
      AWS_ENDPOINT_URL_BEDROCK: server.url,
      AWS_ENDPOINT_URL_BEDROCK_RUNTIME: server.url,
      AWS_ACCESS_KEY_ID: identity.accessKeyId,
      AWS_SECRET_ACCESS_KEY: identity.secretAccessKey,
    },
    close: () => server.close(),
  }
}
