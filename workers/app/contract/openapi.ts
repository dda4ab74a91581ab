/** The machine-readable contract: OpenAPI 3.0, built from the same declarations that validate requests. */
import { OpenAPIHono } from '@hono/zod-openapi'
import type { ShownOperation } from './examples/example.ts'
import { type DocumentTag, type RouteDeclaration, tagOf, toDocumentedRoute } from './route.ts'

const securitySchemes = {
  token: { type: 'http', scheme: 'bearer', description: 'An API token, made in the console' },
  session: { type: 'apiKey', in: 'cookie', name: 'wharf_session', description: 'A browser that is signed in' },
} as const

/** In the order in which a reader meets them. */
const tagTexts: Readonly<Record<DocumentTag, string>> = {
  service: 'What this service is',
  overview: 'All sites at a glance',
  sites: 'Accounts at sites: figures, levels, history, what has to be seeded',
  attendance: 'The daily sign-in',
  torrents: 'What the downloaders hold',
  downloaders: 'The downloaders themselves',
  search: 'Searching sites',
  push: 'From a search to a downloader',
  tasks: 'Records of what was pushed',
  brush: 'Tasks that take fresh torrents for upload',
  media: 'Where finished downloads went',
  subscriptions: 'Films and seasons that are looked for',
  explore: 'Titles and pictures of the metadata provider',
  templates: 'Texts of notifications',
  assistant: 'Conversations with the assistant',
  updates: 'Newer versions',
}

const description = `A preview of 1.0. Addresses and fields are added without notice: ignore what you do not know.

Send an API token as \`Authorization: Bearer …\`. Sizes are bytes, speeds bytes a second, times Unix seconds unless said otherwise.
Errors are \`{error, message}\`: act on \`error\`. Messages are Chinese, or English where \`Accept-Language\` prefers it.`

interface Described {
  readonly title: string
  readonly description: string
  readonly address: string
}

const appApi: Described = { title: 'Wharf App API', description, address: '/api/app/v1' }

/** What scripts set up; beside the App API and no part of it. */
export const settingsApi: Described = {
  title: 'Wharf settings',
  description: `What the console's pages set up, for scripts. Addresses and fields are added without notice: ignore what you do not know.

Send an API token that may Configure as \`Authorization: Bearer …\`. Errors are \`{error, message}\`: act on \`error\`.`,
  address: '/api/settings/v1',
}

export function buildOpenApi(
  routes: readonly RouteDeclaration[],
  version: string,
  examples: readonly ShownOperation[] = [],
  described: Described = appApi,
) {
  const documents = new OpenAPIHono()
  const schemes = Object.entries(securitySchemes).filter(([name]) => described === appApi || name === 'token')
  for (const [name, scheme] of schemes) {
    documents.openAPIRegistry.registerComponent('securitySchemes', name, scheme)
  }
  for (const route of routes) documents.openAPIRegistry.registerPath(toDocumentedRoute(route))
  const used = new Set(routes.map(tagOf))
  const document = documents.getOpenAPIDocument({
    openapi: '3.0.3',
    info: {
      title: described.title,
      version,
      description: described.description,
      license: { name: 'Apache-2.0', url: licenceAddress },
    },
    servers: [{ url: described.address }],
    tags: Object.entries(tagTexts)
      .filter(([name]) => used.has(name as DocumentTag))
      .map(([name, text]) => ({ name, description: text })),
    security: schemes.map(([name]) => ({ [name]: [] })),
  })
  for (const methods of Object.values(document.paths ?? {}))
    for (const operation of Object.values(methods) as DocumentedOperation[]) {
      const example = examples.find(({ operationId }) => operationId === operation.operationId)
      if (example !== undefined) addExample(operation, example)
    }
  return document
}

const licenceAddress = 'https://www.apache.org/licenses/LICENSE-2.0'

type Content = Record<string, { example?: unknown } | undefined>

interface DocumentedOperation {
  readonly operationId: string
  readonly parameters?: { name: string; schema: { type?: string }; example?: unknown }[]
  readonly requestBody?: { content: Content }
  readonly responses: Readonly<Record<string, { content?: Content } | undefined>>
}

const json = 'application/json'

function addExample(operation: DocumentedOperation, example: ShownOperation): void {
  const given = { ...example.params, ...example.query }
  for (const parameter of operation.parameters ?? []) {
    const value = given[parameter.name]
    // On the wire it is text; in the document it has the type of its schema.
    if (value !== undefined) parameter.example = parameter.schema.type === 'integer' ? Number(value) : value
  }
  const body = operation.requestBody?.content[json]
  if (body !== undefined && example.body !== undefined) body.example = example.body
  for (const [status, answer] of Object.entries(example.answers)) {
    const content = operation.responses[status]?.content?.[json]
    if (content !== undefined) content.example = answer
  }
}
