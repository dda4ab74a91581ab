// Bodies of models that embed. To the service model (`bedrock-runtime`, API 2023-09-30, `InvokeModel`) a body is bytes: the
// source of members and bounds is the provider's documentation of request bodies of these model families, and the words of
// refusals are those that users report of its schema check.
import { isRecord, listOf } from '#shared/kernel/json-record.ts'
import type { ModelCard } from './model-cards.ts'

type Rule = (value: unknown) => string | undefined

interface BodyRules {
  readonly required: readonly string[]
  readonly members: Readonly<Record<string, Rule>>
}

const any: Rule = () => undefined

function oneOf(...values: readonly unknown[]): Rule {
  return (value) => (values.includes(value) ? undefined : `${JSON.stringify(value)} is not a valid enum value`)
}

function text(charactersMax: number): Rule {
  return (value) => {
    if (typeof value !== 'string') return `expected type: String, found: ${typeof value}`
    if (value.length < 1) return 'expected minLength: 1, actual: 0'
    return value.length > charactersMax ? `expected maxLength: ${charactersMax}, actual: ${value.length}` : undefined
  }
}

const cohereTextsMax = 96
const cohereText = text(2_048)

function cohereTexts(value: unknown): string | undefined {
  if (!Array.isArray(value)) return `expected type: JSONArray, found: ${typeof value}`
  if (value.length < 1) return 'expected minimum item count: 1, found: 0'
  if (value.length > cohereTextsMax) return `expected maximum item count: ${cohereTextsMax}, found: ${value.length}`
  return value.map(cohereText).find((fault) => fault !== undefined)
}

const cohere: BodyRules = {
  required: ['input_type'],
  members: {
    texts: cohereTexts,
    input_type: oneOf('search_document', 'search_query', 'classification', 'clustering', 'image'),
    truncate: oneOf('NONE', 'START', 'END'),
    embedding_types: any,
    images: any,
  },
}

const titan = (charactersMax: number): Rule => text(charactersMax)

const nova: BodyRules = {
  required: ['taskType', 'singleEmbeddingParams'],
  members: {
    schemaVersion: oneOf('nova-multimodal-embed-v1'),
    taskType: oneOf('SINGLE_EMBEDDING'),
    singleEmbeddingParams: (value) =>
      isRecord(value)
        ? bodyFault(
            {
              required: ['embeddingPurpose'],
              members: {
                embeddingPurpose: any,
                embeddingDimension: oneOf(256, 384, 1_024, 3_072),
                text: (inner) =>
                  isRecord(inner)
                    ? bodyFault(
                        {
                          required: ['truncationMode', 'value'],
                          members: { truncationMode: oneOf('START', 'END', 'NONE'), value: text(50_000) },
                        },
                        inner,
                      )
                    : 'expected type: JSONObject',
              },
            },
            value,
          )
        : 'expected type: JSONObject',
  },
}

const families: readonly (readonly [prefix: string, rules: BodyRules])[] = [
  ['cohere.embed', cohere],
  ['amazon.titan-embed-text-v1', { required: ['inputText'], members: { inputText: titan(50_000) } }],
  [
    'amazon.titan-embed-text-v2',
    {
      required: ['inputText'],
      members: {
        inputText: titan(50_000),
        dimensions: oneOf(256, 512, 1_024),
        normalize: any,
        embeddingTypes: (value) => listOf(value).map(oneOf('float', 'binary')).find(Boolean),
      },
    },
  ],
  ['amazon.nova-2-multimodal-embeddings', nova],
]

/** What an embedding model finds wrong with a body, in the words its schema check has. Of other models nothing is known. */
export function embeddingFault(card: ModelCard, body: Readonly<Record<string, unknown>>): string | undefined {
  const rules = families.find(([prefix]) => card.id.startsWith(prefix))?.[1]
  if (rules === undefined) return undefined
  const fault = bodyFault(rules, body)
  return fault === undefined
    ? undefined
    : `Malformed input request: ${fault}, please reformat your input and try again.`
}

function bodyFault({ required, members }: BodyRules, body: Readonly<Record<string, unknown>>): string | undefined {
  const missing = required.find((name) => body[name] === undefined)
  if (missing !== undefined) return `#: required key [${missing}] not found`
  for (const [name, value] of Object.entries(body)) {
    const rule = Object.hasOwn(members, name) ? members[name] : undefined
    if (rule === undefined) return `#: extraneous key [${name}] is not permitted`
    const fault = rule(value)
    if (fault !== undefined) return `#/${name}: ${fault}`
  }
  return undefined
}
