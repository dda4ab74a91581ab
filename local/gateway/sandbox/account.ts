// What one account of the provider has in one region. Listings, their members, filters and bounds follow the service model
// `bedrock` (API 2023-04-20, `ListFoundationModels` and `ListInferenceProfiles`) as version 1.43.107 of the AWS SDK for
// Python carries it. One value is not in that model and comes from the service's answers: `INFERENCE_PROFILE`, the kind of
// inference of models that no bare id leads to. Which refusal an id meets, and its words, follow the service's
// documentation of inference profiles and reports of its users.
import { type Geography, geographiesOf, type ModelCard, modelCards } from './model-cards.ts'
import type { Answer } from './provider-wire.ts'

export interface Account {
  readonly region: string
  readonly cards: readonly ModelCard[]
  readonly applicationProfiles: readonly ApplicationProfile[]
}

export interface ApplicationProfile {
  readonly id: string
  readonly name: string
  readonly foundationId: string
}

const accountNumber = '123456789012'

export function accountIn(region: string, applicationProfiles: readonly ApplicationProfile[] = []): Account {
  return { region, cards: modelCards, applicationProfiles }
}

export interface Found {
  readonly card: ModelCard
}

/** The model that an id leads to in this account, or the provider's refusal. */
export function findModel(
  account: Account,
  id: string,
  operation: string,
): Found | Extract<Answer, { status: number }> {
  const bare = account.cards.find((card) => card.id === id)
  if (bare !== undefined) return judged(bare, id, operation !== 'count-tokens')
  const profile = profilesOf(account).find((entry) => entry.id === id || entry.arn === id)
  return profile === undefined
    ? refusal(400, 'ValidationException', 'The provided model identifier is invalid.')
    : judged(profile.card, id, false)
}

function judged(card: ModelCard, id: string, isBareCall: boolean): Found | Extract<Answer, { status: number }> {
  if (card.status === 'RETIRED') {
    const words =
      'This model version has reached the end of its life. Please refer to the AWS documentation for more details.'
    return refusal(404, 'ResourceNotFoundException', words)
  }
  if (card.isAbandoned === true) {
    const words =
      'Access denied. This Model is marked by provider as Legacy and you have not been actively using the model in the last 30 days. Please upgrade to an active model on Amazon Bedrock'
    return refusal(404, 'ResourceNotFoundException', words)
  }
  if (isBareCall && !card.isOnDemand) {
    const words = `Invocation of model ID ${id} with on-demand throughput isn’t supported. Retry your request with the ID or ARN of an inference profile that contains this model.`
    return refusal(400, 'ValidationException', words)
  }
  return { card }
}

export function refusal(status: number, error: string, message: string): Extract<Answer, { status: number }> {
  return { status, error, message }
}

interface Profile {
  readonly id: string
  readonly arn: string
  readonly name: string
  readonly type: 'SYSTEM_DEFINED' | 'APPLICATION'
  readonly card: ModelCard
}

function profilesOf(account: Account): readonly Profile[] {
  const here = geographiesOf(account.region)
  const arn = (kind: string, id: string) => `arn:aws:bedrock:${account.region}:${accountNumber}:${kind}/${id}`
  const system = account.cards.flatMap((card) =>
    card.geographies
      .filter((geography) => here.includes(geography))
      .map((geography): Profile => {
        const id = `${geography}.${card.id}`
        return { id, arn: arn('inference-profile', id), name: nameOf(geography, card), type: 'SYSTEM_DEFINED', card }
      }),
  )
  const own = account.applicationProfiles.flatMap((profile): readonly Profile[] => {
    const card = account.cards.find((candidate) => candidate.id === profile.foundationId)
    if (card === undefined) return []
    const full = arn('application-inference-profile', profile.id)
    // Its short id means nothing to the runtime.
    return [{ id: full, arn: full, name: profile.name, type: 'APPLICATION', card }]
  })
  return [...system, ...own]
}

function nameOf(geography: Geography, card: ModelCard): string {
  return `${geography.toUpperCase()} ${card.id}`.replace(/[^0-9A-Za-z _-]/g, ' ').slice(0, 64)
}

const listed = (card: ModelCard) => card.status !== 'RETIRED'

/** What each listing takes in its query, and which values; undefined: any. */
const listings: Readonly<Record<string, Readonly<Record<string, readonly string[] | undefined>>>> = {
  '/foundation-models': {
    byProvider: undefined,
    byCustomizationType: ['FINE_TUNING', 'CONTINUED_PRE_TRAINING', 'DISTILLATION'],
    byOutputModality: ['TEXT', 'IMAGE', 'EMBEDDING'],
    byInferenceType: ['ON_DEMAND', 'PROVISIONED'],
  },
  '/inference-profiles': { maxResults: undefined, nextToken: undefined, type: ['SYSTEM_DEFINED', 'APPLICATION'] },
}

/**
 * The control plane's two listings; undefined for another target. The real service passes over members of a query that
 * it does not know, and filters by none of them: here they are refused.
 */
export function listingAnswer(account: Account, target: string): Answer | undefined {
  const { pathname, searchParams } = new URL(target, 'http://provider')
  const takes = listings[pathname]
  if (takes === undefined) return undefined
  for (const [name, value] of searchParams) {
    if (!Object.hasOwn(takes, name))
      return refusal(400, 'ValidationException', `Unexpected member '${name}' in the query`)
    const values = takes[name]
    if (values !== undefined && !values.includes(value)) {
      const words = `1 validation error detected: Value '${value}' at '${name}' failed to satisfy constraint: Member must satisfy enum value set: [${values.join(', ')}]`
      return refusal(400, 'ValidationException', words)
    }
  }
  return pathname === '/foundation-models'
    ? { json: { modelSummaries: modelSummaries(account, searchParams) } }
    : profileListing(profileSummaries(account), searchParams)
}

function modelSummaries(account: Account, filters: URLSearchParams): readonly object[] {
  const output = filters.get('byOutputModality')
  const inference = filters.get('byInferenceType')
  return account.cards
    .filter(listed)
    .filter((card) => output === null || card.output === output)
    .filter((card) => inference === null || (inference === 'ON_DEMAND' && card.isOnDemand))
    .map((card) => ({
      modelArn: foundationArn(account, card),
      modelId: card.id,
      modelName: card.id,
      providerName: card.id.split('.')[0],
      inputModalities: card.inputs,
      outputModalities: [card.output],
      responseStreamingSupported: card.output === 'TEXT',
      customizationsSupported: [],
      inferenceTypesSupported: card.isOnDemand ? ['ON_DEMAND'] : ['INFERENCE_PROFILE'],
      modelLifecycle: {
        status: card.status,
        startOfLifeTime: card.startOfLife,
        ...(card.endOfLife === undefined ? {} : { endOfLifeTime: card.endOfLife }),
      },
    }))
}

function foundationArn(account: Account, card: ModelCard): string {
  return `arn:aws:bedrock:${account.region}::foundation-model/${card.id}`
}

function profileSummaries(account: Account): readonly object[] {
  return profilesOf(account)
    .filter((profile) => listed(profile.card))
    .map((profile) => ({
      inferenceProfileName: profile.name,
      description: `Routes requests to ${profile.card.id}`,
      createdAt: profile.card.startOfLife,
      updatedAt: profile.card.startOfLife,
      inferenceProfileArn: profile.arn,
      inferenceProfileId: profile.type === 'APPLICATION' ? profile.arn.split('/')[1] : profile.id,
      models: [{ modelArn: foundationArn(account, profile.card) }],
      status: 'ACTIVE',
      type: profile.type,
    }))
}

const pageSizeMax = 1_000
/** However much a client asks for, pages are short, so that paging is always walked. */
const pageSize = 3

/** One page of the profiles that are given. */
export function profileListing(profiles: readonly object[], filters: URLSearchParams): Answer {
  const asked = Number(filters.get('maxResults') ?? pageSizeMax)
  if (!Number.isInteger(asked) || asked < 1 || asked > pageSizeMax) {
    const words = `1 validation error detected: Value at 'maxResults' failed to satisfy constraint: Member must have value less than or equal to ${pageSizeMax}`
    return refusal(400, 'ValidationException', words)
  }
  const type = filters.get('type')
  const matching = profiles.filter((entry) => type === null || ('type' in entry && entry.type === type))
  const start = Number(filters.get('nextToken') ?? 0)
  const end = start + Math.min(asked, pageSize)
  const more = end < matching.length ? { nextToken: String(end) } : {}
  return { json: { inferenceProfileSummaries: matching.slice(start, end), ...more } }
}
