import { type Clock, unixSeconds } from '#shared/kernel/clock.ts'
import { failWith, type Result, succeed } from '#shared/kernel/result.ts'
import type { Cancellation } from '../core/cancellation.ts'
import { isPending } from '../core/eventually.ts'
import { type Failure, failure } from '../core/failure.ts'
import type { AnswerWriter } from '../core/from-provider/answer-writer.ts'
import type { AnswerIdentity } from '../core/from-provider/chat-completion.ts'
import { estimateTokens } from '../core/from-provider/chat-usage.ts'
import { type KeyGrant, mayUseModel } from '../core/keys/key-record.ts'
import { externalModel, type ResolvedModel, resolveModel } from '../core/model-resolution.ts'
import type { ProviderList } from '../core/providers/provider-list.ts'
import type { Keyring, Mac } from '../core/reasoning-capsule.ts'
import { redactedCause } from '../core/redaction.ts'
import type { ModelRegistry } from '../core/registry.ts'
import { type DownloadedImages, isDownload, type ProviderImage } from '../core/to-provider/image-reference.ts'
import type { ConverseRequest } from '../core/wire/converse-request.ts'
import { imageDownloadsAtOnce, imagesBytesMax, imagesPerRequestMax } from '../limits.ts'
import type {
  BodySource,
  ByteAllowance,
  CompatibleEndpoint,
  EventBatches,
  Images,
  Log,
  ModelDirectory,
  Provider,
  Random,
  ResponseStore,
  RouteBook,
  Timers,
} from '../ports.ts'
import type { Settings } from '../settings.ts'
import { answerStream } from './answer-stream.ts'
import { callContext, type ExchangeContext, failureResponse, jsonResponse, respond } from './exchange.ts'
import { mergedEvents } from './fan-out.ts'
import type { BodyRules } from './request-body.ts'
import type { Semaphore } from './semaphore.ts'

/** What every route that generates an answer needs. */
export interface GenerateDeps {
  readonly settings: Pick<Settings, 'region' | 'isPromptCachingEnabled' | 'promptCacheTtl'>
  readonly registry: ModelRegistry
  readonly directory: ModelDirectory
  readonly provider: Provider
  readonly providers: ProviderList
  readonly routes: RouteBook
  /** Undefined: switched off. */
  readonly compatible: CompatibleEndpoint | undefined
  readonly images: Images
  readonly mac: Mac
  /** What seals reasoning now. */
  readonly keyring: () => Keyring
  readonly clock: Clock
  readonly random: Random
  readonly timers: Timers
  readonly log: Log
  readonly keepAliveMs: number
  readonly bodyRules: BodyRules
  readonly openStreams: Semaphore
  readonly responseStore: ResponseStore
}

export async function resolveFor(
  c: ExchangeContext,
  deps: GenerateDeps,
  name: string | null | undefined,
): Promise<Result<ResolvedModel, Failure>> {
  const routesRead = deps.routes.freshen()
  if (routesRead !== undefined) await routesRead
  const wanted = name ?? (await deps.directory.current()).defaultModel
  if (wanted === undefined) return failWith(nothingToDefaultTo('DEFAULT_MODEL'))
  const route = deps.providers.routes.get(wanted)
  const found = await resolveTarget(deps, wanted)
  if (!found.ok) return found
  const resolved = succeed(route === undefined ? found.value : { ...found.value, id: route.name })
  const refused = refusedModel(
    c.get('grant'),
    route === undefined ? [wanted, found.value.id, found.value.foundationId] : [wanted],
  )
  return refused === undefined ? resolved : failWith(refused)
}

/** The model that a name stands for, of a route its first. */
export async function resolveTarget(
  deps: Pick<GenerateDeps, 'directory' | 'providers' | 'registry' | 'settings'>,
  wanted: string,
): Promise<Result<ResolvedModel, Failure>> {
  const external = externalModel(wanted, deps.providers, deps.registry)
  if (external !== undefined) return succeed(external)
  const target = deps.providers.routes.get(wanted)?.steps[0]?.model ?? wanted
  const read = deps.directory.current()
  return resolveModel(target, deps.registry, isPending(read) ? await read : read, deps.settings.region)
}

/** Why the key of the request may not use what these names stand for; undefined when it may. */
export function refusedModel(grant: KeyGrant | undefined, names: readonly string[]): Failure | undefined {
  return grant === undefined || mayUseModel(grant.models, names)
    ? undefined
    : failure('forbidden', `this key may not use the model ${(names[0] ?? '').slice(0, 100)}`, { param: 'model' })
}

/** No model was named, and the account's list, as far as it could be read, has none to choose. */
export function nothingToDefaultTo(setting: string): Failure {
  return failure(
    'bad_request',
    `name a model: the account lists none that could be the default, and ${setting} is not set`,
    {
      param: 'model',
    },
  )
}

/** The surface of the compatible endpoint that serves the model, or undefined for the provider's own operation. */
export function compatibleSurface(model: ResolvedModel): 'responses' | 'chat' | undefined {
  // Ids with a version belong to the provider's own operation; the endpoint's ids have none.
  return /:\d+$/.test(model.id) ? undefined : model.traits.parameters.compatibleSurface
}

export function endpointIsOff(model: ResolvedModel): Failure {
  return failure('bad_request', `model ${model.id} is served by the compatible endpoint, which is switched off`, {
    param: 'model',
  })
}

export function identityOf(deps: GenerateDeps, prefix: string, model: string): AnswerIdentity {
  return { id: `${prefix}${deps.random.hex(16)}`, createdUnix: unixSeconds(deps.clock), model }
}

export function capsulesFor(deps: GenerateDeps, model: ResolvedModel) {
  return { keyring: deps.keyring(), mac: deps.mac, modelId: model.foundationId }
}

const noImages: DownloadedImages = new Map()

/** Fetches the images of a request, a few at once, for a model that has eyes. The first failure decides. */
export async function downloadImages(
  deps: GenerateDeps,
  model: ResolvedModel,
  references: readonly string[],
  signal: Cancellation,
): Promise<Result<DownloadedImages, Failure>> {
  if (references.length > imagesPerRequestMax) {
    return failWith(failure('bad_request', `a request holds at most ${imagesPerRequestMax} images`))
  }
  if (references.length === 0 || model.hasImages === false) return succeed(noImages)
  let bytesLeft = imagesBytesMax
  const allowance: ByteAllowance = {
    take(bytes) {
      bytesLeft -= bytes
      return bytesLeft >= 0
    },
  }
  const waiting = [...new Set(references.filter(isDownload))]
  const found = new Map<string, ProviderImage>()
  let failed: Failure | undefined
  const work = async () => {
    for (let url = waiting.pop(); url !== undefined && failed === undefined; url = waiting.pop()) {
      const image = await deps.images.download(url, allowance, signal)
      if (image.ok) found.set(url, image.value)
      else failed ??= image.failure
    }
  }
  await Promise.all(Array.from({ length: imageDownloadsAtOnce }, work))
  return failed === undefined ? succeed(found) : failWith(failed)
}

/**
 * Opens the provider's stream, or as many as there are choices, and answers with its translation; a refusal that comes
 * first still has a status.
 */
export async function streamedAnswer(
  c: ExchangeContext,
  deps: GenerateDeps,
  model: ResolvedModel,
  request: Parameters<Provider['converseStream']>[1],
  writer: AnswerWriter,
  choices = 1,
  beforeEnd?: () => Promise<void>,
): Promise<Response> {
  const abort = c.get('abort')
  const release = deps.openStreams.tryAcquire(choices, abort.signal)
  if (release === undefined) return failureResponse(c, tooManyStreams())
  const call = callContext(c)
  const opened = await Promise.all(
    Array.from({ length: choices }, () => deps.provider.converseStream(model.id, request, call)),
  )
  const streams: EventBatches[] = []
  for (const events of opened) {
    if (!events.ok) {
      release()
      abort.abort()
      return failureResponse(c, events.failure)
    }
    streams.push(events.value)
  }
  const [first] = streams
  const events = first !== undefined && streams.length === 1 ? first : mergedEvents(streams)
  const body = answerStream(events, writer, {
    clock: deps.clock,
    timers: deps.timers,
    keepAliveMs: deps.keepAliveMs,
    left: abort.signal,
    abort: () => abort.abort(),
    ...(beforeEnd === undefined ? {} : { beforeEnd }),
    onEnd: (failed) => {
      release()
      if (failed !== undefined) {
        const { code, cause } = failed
        deps.log({
          level: 'warn',
          event: 'stream-failed',
          requestId: call.requestId,
          code,
          cause: redactedCause(cause),
        })
      }
    },
  })
  return streamResponse(c, body, model.id)
}

/** The provider's count of what a request holds, where it has one, else a rough one, which a header says. */
export async function countedInput(
  c: ExchangeContext,
  deps: GenerateDeps,
  model: ResolvedModel,
  request: ConverseRequest,
  told: Readonly<Record<string, string>> = {},
): Promise<Response> {
  const { inferenceConfig: _, outputConfig: __, ...input } = request
  const counted = await deps.provider.countTokens(model.foundationId, input, callContext(c))
  if (counted.ok) return jsonResponse(c, { ...told, input_tokens: counted.value })
  if (counted.failure.code !== 'bad_request') return failureResponse(c, counted.failure)
  const text = JSON.stringify(input, (member, value) => (member === 'bytes' ? '' : value))
  const estimate = { ...told, input_tokens: estimateTokens(text.length) }
  return jsonResponse(c, estimate, { 'x-gateway-estimated': 'input_tokens' })
}

export function tooManyStreams(): Failure {
  return failure('rate_limit_exceeded', 'the gateway serves too many streams', { retryAfterSeconds: 1 })
}

export function streamResponse(c: ExchangeContext, body: BodySource, modelId: string): Response {
  return respond(c, body, 200, {
    'content-type': 'text/event-stream; charset=utf-8',
    'cache-control': 'no-cache, no-transform',
    'x-accel-buffering': 'no',
    'openai-model': modelId,
  })
}
