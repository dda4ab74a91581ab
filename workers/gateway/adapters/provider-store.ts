import { parseJson, recordOf, textOf } from '#shared/kernel/json-record.ts'
import { failWith, type Result, succeed } from '#shared/kernel/result.ts'
import { Canceller } from '../core/cancellation.ts'
import { collectText } from '../core/collect-text.ts'
import { type Failure, failure } from '../core/failure.ts'
import { providerErrorBytesMax, startUpCallTimeoutMs } from '../limits.ts'
import type { Outgoing, Timers } from '../ports.ts'
import type { Settings } from '../settings.ts'
import type { Authentication } from './provider-authentication.ts'

export interface StoreParts {
  readonly outgoing: Outgoing
  readonly authentication: Authentication
  readonly timers: Timers
  readonly settings: Pick<Settings, 'region' | 'endpoints' | 'apiKeyParameterName' | 'apiKeySecretArn' | 'apiKey'>
}

/**
 * Reads the key clients must present: parameter store, then secret store, then the plain setting. White space around it,
 * as a line break that a shell added, is no part of it: no header could carry it.
 */
export async function readApiKey(parts: StoreParts): Promise<Result<string | undefined, Failure>> {
  const { settings } = parts
  if (settings.apiKeyParameterName !== undefined) return readParameter(parts, settings.apiKeyParameterName)
  if (settings.apiKeySecretArn !== undefined) return readSecret(parts, settings.apiKeySecretArn)
  return succeed(settings.apiKey)
}

async function readParameter(parts: StoreParts, name: string): Promise<Result<string, Failure>> {
  const region = name.startsWith('arn:') ? (name.split(':')[3] ?? parts.settings.region) : parts.settings.region
  const answer = await callService(
    parts,
    parts.settings.endpoints.parameterStore,
    region,
    'ssm',
    'AmazonSSM.GetParameter',
    {
      Name: name,
      WithDecryption: true,
    },
  )
  if (!answer.ok) return answer
  const value = textOf(recordOf(recordOf(answer.value)?.['Parameter'])?.['Value'])?.trim()
  return value ? succeed(value) : failWith(failure('not_configured', 'the parameter of API_KEY_PARAM_NAME is empty'))
}

async function readSecret(parts: StoreParts, arn: string): Promise<Result<string, Failure>> {
  const region = (arn.startsWith('arn:') ? arn.split(':')[3] : undefined) ?? parts.settings.region
  const target = 'secretsmanager.GetSecretValue'
  const address = parts.settings.endpoints.secretsManager
  const answer = await callService(parts, address, region, 'secretsmanager', target, { SecretId: arn })
  if (!answer.ok) return answer
  const text = textOf(recordOf(answer.value)?.['SecretString'])
  const value = textOf(recordOf(text === undefined ? undefined : parseJson(text))?.['api_key'])?.trim()
  return value
    ? succeed(value)
    : failWith(failure('not_configured', 'the secret of API_KEY_SECRET_ARN has no api_key field'))
}

async function callService(
  parts: StoreParts,
  address: string,
  region: string,
  service: string,
  target: string,
  body: Readonly<Record<string, unknown>>,
): Promise<Result<unknown, Failure>> {
  const controller = new Canceller()
  const stop = parts.timers.every(startUpCallTimeoutMs, () => controller.abort(new Error('no answer in time')))
  try {
    const request = await parts.authentication.authorise(
      {
        method: 'POST',
        // A store of another region is asked there; an address that was configured is taken as it is.
        url: `${address.replace(`.${parts.settings.region}.`, `.${region}.`)}/`,
        headers: { 'content-type': 'application/x-amz-json-1.1', 'x-amz-target': target },
        body: JSON.stringify(body),
      },
      region,
      service,
    )
    if (!request.ok) return request
    const answer = await parts.outgoing({ ...request.value, signal: controller.signal })
    const text = await collectText(answer.body, providerErrorBytesMax)
    if (answer.status === 200 && text !== undefined) return succeed(parseJson(text))
    return failWith(failure('not_configured', `the ${service} store refused to give the API key`))
  } catch (cause) {
    return failWith(failure('not_configured', `the ${service} store could not be reached for the API key`, { cause }))
  } finally {
    stop()
  }
}
