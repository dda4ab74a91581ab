import type { JsonRecord } from '#shared/kernel/json-record.ts'
import { accountIn } from '../../local/gateway/sandbox/account.ts'
import { bytesOf, type Step } from '../../local/gateway/sandbox/provider-wire.ts'
import { standInAnswer } from '../../local/gateway/sandbox/stand-in.ts'
import { composeGateway } from '../../workers/gateway/compose.ts'
import type { Outgoing } from '../../workers/gateway/ports.ts'
import { environmentFor, registries, storageInMemory } from './gateway-under-test.ts'

const account = accountIn('us-west-2')

/** A gateway whose provider is the stand-in, without a socket; what was asked and refused last is kept. */
export function gatewayWithoutSockets(environment: Readonly<Record<string, string>> = {}) {
  const asked: { operation: string; body: JsonRecord; refusal: string | undefined }[] = []
  const outgoing: Outgoing = async ({ url, body: bodyText }) => {
    const { pathname, search } = new URL(url)
    const [, , modelId = '', operation = pathname.slice(1)] = pathname.split('/')
    const body = bodyText === undefined ? {} : JSON.parse(String(bodyText))
    const call = { operation, modelId: decodeURIComponent(modelId), target: pathname + search, headers: {}, body }
    const answer = standInAnswer(call, { account: () => account })
    const refusal = 'message' in answer ? answer.message : undefined
    if (modelId !== '') asked.push({ operation, body, refusal })
    const whole = JSON.stringify('json' in answer ? answer.json : { message: refusal })
    const bytes = 'steps' in answer ? answer.steps.flatMap(frames) : [new TextEncoder().encode(whole)]
    return {
      status: 'status' in answer ? answer.status : 200,
      header: (name) => (name === 'x-amzn-errortype' && 'error' in answer ? answer.error : undefined),
      body: (async function* () {
        yield* bytes
      })(),
    }
  }
  const gateway = composeGateway(
    { ...environmentFor({ url: 'http://provider.test' }), ...environment },
    {
      registries,
      ...storageInMemory(),
      outgoing,
      log: () => {},
    },
  )
  return { gateway, asked }
}

/** Nobody waits here: a stream's pauses are left out. */
function frames(step: Step): readonly Uint8Array[] {
  return 'event' in step || 'exception' in step || 'bytes' in step ? [bytesOf(step)] : []
}
