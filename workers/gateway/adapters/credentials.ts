import type { Clock } from '#shared/kernel/clock.ts'
import { isRecord, parseJson, recordOf, textOf } from '#shared/kernel/json-record.ts'
import { failWith, type Result, succeed } from '#shared/kernel/result.ts'
import { Canceller } from '../core/cancellation.ts'
import { collectText } from '../core/collect-text.ts'
import { type Failure, failure } from '../core/failure.ts'
import { credentialRenewalLeadMs, providerErrorBytesMax } from '../limits.ts'
import type { Outgoing, Timers } from '../ports.ts'
import type { EnvironmentText } from '../settings.ts'
import type { Credentials } from './request-signer.ts'

export interface CredentialSource {
  current(): Promise<Result<Credentials, Failure>>
}

/** What a host machine offers beside its environment; the edge has none of it. */
export interface HostFiles {
  /** Undefined for a file that is not there. */
  read(path: string): Promise<string | undefined>
  readonly home: string | undefined
}

export interface CredentialParts {
  readonly environment: EnvironmentText
  readonly outgoing: Outgoing
  readonly clock: Clock
  readonly timers: Timers
  readonly region: string
  readonly tokenServiceUrl: string
  readonly files: HostFiles | undefined
}

/** One way to come by credentials: undefined when it does not apply here. */
type Source = (parts: CredentialParts) => Promise<Credentials | undefined>

const sources: readonly Source[] = [fromEnvironment, fromProfileFile, fromWebIdentity, fromContainer, fromInstance]
const sourceTimeoutMs = 5_000

/** Asks the sources in the usual order, keeps what the first one gives, and renews it in good time, once at a time. */
export function credentialSource(parts: CredentialParts): CredentialSource {
  let kept: Credentials | undefined
  let renewal: Promise<Credentials | undefined> | undefined

  const renew = async (): Promise<Credentials | undefined> => {
    for (const source of sources) {
      const found = await source(parts)
      if (found !== undefined) return found
    }
    return undefined
  }
  const isFresh = (credentials: Credentials, leadMs: number) =>
    credentials.expiresAtMs === undefined || credentials.expiresAtMs - leadMs > parts.clock.nowMs()

  return {
    async current() {
      if (kept !== undefined && isFresh(kept, credentialRenewalLeadMs)) return succeed(kept)
      let cause: unknown
      try {
        renewal ??= renew().finally(() => {
          renewal = undefined
        })
        kept = (await renewal) ?? kept
      } catch (error) {
        cause = error
      }
      // A failed renewal is no reason to stop while the old ones are still good.
      if (kept !== undefined && isFresh(kept, 0)) return succeed(kept)
      return failWith(failure('unauthorized', 'the gateway has no credentials for the provider', { cause }))
    },
  }
}

async function fromEnvironment({ environment }: CredentialParts): Promise<Credentials | undefined> {
  return credentialsOf(
    environment['AWS_ACCESS_KEY_ID'],
    environment['AWS_SECRET_ACCESS_KEY'],
    environment['AWS_SESSION_TOKEN'],
  )
}

function credentialsOf(
  accessKeyId: string | undefined,
  secretAccessKey: string | undefined,
  sessionToken: string | undefined,
  expiration?: string | number,
): Credentials | undefined {
  if (!accessKeyId || !secretAccessKey) return undefined
  const expiresAtMs = typeof expiration === 'number' ? expiration * 1_000 : Date.parse(expiration ?? '')
  return {
    accessKeyId,
    secretAccessKey,
    ...(sessionToken ? { sessionToken } : {}),
    ...(Number.isNaN(expiresAtMs) ? {} : { expiresAtMs }),
  }
}

async function fromProfileFile({ environment, files }: CredentialParts): Promise<Credentials | undefined> {
  const path =
    environment['AWS_SHARED_CREDENTIALS_FILE'] ?? (files?.home ? `${files.home}/.aws/credentials` : undefined)
  const text = path === undefined ? undefined : await files?.read(path)
  if (text === undefined) return undefined
  const profile = profileOf(text, environment['AWS_PROFILE'] ?? 'default')
  return credentialsOf(
    profile.get('aws_access_key_id'),
    profile.get('aws_secret_access_key'),
    profile.get('aws_session_token'),
  )
}

function profileOf(text: string, name: string): ReadonlyMap<string, string> {
  const values = new Map<string, string>()
  let section = ''
  for (const line of text.split(/\r?\n/)) {
    const heading = /^\s*\[\s*(?:profile\s+)?([^\]]+?)\s*\]/.exec(line)
    if (heading !== null) section = heading[1] ?? ''
    const pair = /^\s*([a-z_]+)\s*=\s*(.*?)\s*$/.exec(line)
    if (section === name && pair?.[1] !== undefined) values.set(pair[1], pair[2] ?? '')
  }
  return values
}

async function fromWebIdentity(parts: CredentialParts): Promise<Credentials | undefined> {
  const { environment, files } = parts
  const role = environment['AWS_ROLE_ARN']
  const path = environment['AWS_WEB_IDENTITY_TOKEN_FILE']
  const token = path === undefined ? undefined : await files?.read(path)
  if (role === undefined || token === undefined) return undefined
  const answer = await fetchText(parts, {
    method: 'POST',
    url: `${parts.tokenServiceUrl}/`,
    headers: { accept: 'application/json', 'content-type': 'application/x-www-form-urlencoded' },
    body: new URLSearchParams({
      Action: 'AssumeRoleWithWebIdentity',
      Version: '2011-06-15',
      RoleArn: role,
      RoleSessionName: environment['AWS_ROLE_SESSION_NAME'] ?? 'wharf-gateway',
      WebIdentityToken: token.trim(),
    }).toString(),
  })
  const response = recordOf(recordOf(parseJson(answer))?.['AssumeRoleWithWebIdentityResponse'])
  const found = recordOf(recordOf(response?.['AssumeRoleWithWebIdentityResult'])?.['Credentials'])
  const element = (name: string) => new RegExp(`<${name}>([^<]+)</${name}>`).exec(answer)?.[1]
  const member = (name: string) => textOf(found?.[name]) ?? element(name)
  const seconds = found?.['Expiration']
  return credentialsOf(
    member('AccessKeyId'),
    member('SecretAccessKey'),
    member('SessionToken'),
    typeof seconds === 'number' ? seconds : member('Expiration'),
  )
}

const containerHosts = ['169.254.170.2', '169.254.170.23', '[fd00:ec2::23]', 'localhost', '127.0.0.1', '[::1]']

async function fromContainer(parts: CredentialParts): Promise<Credentials | undefined> {
  const { environment, files } = parts
  const relative = environment['AWS_CONTAINER_CREDENTIALS_RELATIVE_URI']
  const full = environment['AWS_CONTAINER_CREDENTIALS_FULL_URI']
  const url = relative !== undefined ? URL.parse(`http://169.254.170.2${relative}`) : URL.parse(full ?? '')
  if (url === null || files === undefined) return undefined
  if (url.protocol !== 'https:' && !containerHosts.includes(url.hostname)) {
    throw new Error('AWS_CONTAINER_CREDENTIALS_FULL_URI must be https or the address of the container agent')
  }
  const tokenFile = environment['AWS_CONTAINER_AUTHORIZATION_TOKEN_FILE']
  const token =
    tokenFile === undefined ? environment['AWS_CONTAINER_AUTHORIZATION_TOKEN'] : (await files.read(tokenFile))?.trim()
  const answer = await fetchText(parts, {
    method: 'GET',
    url: url.href,
    headers: token === undefined ? {} : { authorization: token },
  })
  return fromDocument(answer)
}

async function fromInstance(parts: CredentialParts): Promise<Credentials | undefined> {
  if (parts.files === undefined || parts.environment['AWS_EC2_METADATA_DISABLED']?.toLowerCase() === 'true') {
    return undefined
  }
  const base = parts.environment['AWS_EC2_METADATA_SERVICE_ENDPOINT'] ?? 'http://169.254.169.254'
  const token = await fetchText(parts, {
    method: 'PUT',
    url: `${base}/latest/api/token`,
    headers: { 'x-aws-ec2-metadata-token-ttl-seconds': '21600' },
  })
  const headers = { 'x-aws-ec2-metadata-token': token }
  const place = `${base}/latest/meta-data/iam/security-credentials/`
  const role = (await fetchText(parts, { method: 'GET', url: place, headers })).split('\n')[0]?.trim() ?? ''
  return fromDocument(await fetchText(parts, { method: 'GET', url: place + encodeURIComponent(role), headers }))
}

function fromDocument(text: string): Credentials | undefined {
  const document = parseJson(text)
  if (!isRecord(document)) return undefined
  return credentialsOf(
    textOf(document['AccessKeyId']),
    textOf(document['SecretAccessKey']),
    textOf(document['Token']),
    textOf(document['Expiration']),
  )
}

/** Fetches one small document. Rejects when it does not come, which ends the search with that reason. */
async function fetchText(parts: CredentialParts, request: Omit<Parameters<Outgoing>[0], 'signal'>): Promise<string> {
  const controller = new Canceller()
  const stop = parts.timers.every(sourceTimeoutMs, () => controller.abort(new Error('no answer in time')))
  try {
    const answer = await parts.outgoing({ ...request, signal: controller.signal })
    const text = await collectText(answer.body, providerErrorBytesMax)
    if (answer.status !== 200 || text === undefined) throw new Error(`credential source answered ${answer.status}`)
    return text
  } finally {
    stop()
  }
}
