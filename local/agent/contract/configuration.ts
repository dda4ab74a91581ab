/** The configuration file `svc.jsonc`. An unknown key is refused: a misspelt one would be silently without effect. */
import { z } from '@hono/zod-openapi'
import { providerPackages } from '../core/provider-catalogue.ts'
import { agentModes, permissionEffects } from '../core/vocabulary.ts'
import { webSearchKinds } from '../core/web-search.ts'
import {
  fallbackModelsMax,
  modelQuietMsLongest,
  notifyAfterSecondsMax,
  notifyAfterSecondsMin,
  toolOutputBytesMax,
  toolOutputLinesMax,
  toolServerCallMsLongest,
  toolServersMax,
} from '../limits.ts'

const effect = z.enum(permissionEffects)
const permission = z.union([effect, z.record(z.string(), z.union([effect, z.record(z.string(), effect)]))])

const modelName = z.string().regex(/^[^/\s]+\/\S+$/, 'must be provider/model')

/** What the interface of a model's provider takes beyond what is named here, such as how hard the model is to think. */
const modelOptions = z.record(z.string(), z.json())

export const agentConfiguration = z.strictObject({
  description: z.string().optional(),
  mode: z.enum(agentModes).optional(),
  model: modelName.optional(),
  /** Of the model, as its entry names it. */
  variant: z.string().min(1).optional(),
  prompt: z.string().optional(),
  hidden: z.boolean().optional(),
  color: z.string().optional(),
  steps: z.number().int().positive().optional(),
  temperature: z.number().min(0).max(2).optional(),
  top_p: z.number().min(0).max(1).optional(),
  options: modelOptions.optional(),
  permission: permission.optional(),
  disable: z.boolean().optional(),
})

export const commandConfiguration = z.strictObject({
  template: z.string(),
  description: z.string().optional(),
  agent: z.string().optional(),
  model: modelName.optional(),
  variant: z.string().min(1).optional(),
  subtask: z.boolean().optional(),
})

/** Without a model the variant would be one of whatever model the session has. */
export function isVariantOfModel({ model, variant }: { model?: string | undefined; variant?: string | undefined }) {
  return variant === undefined || model !== undefined
}
export const variantOfNothing = { path: ['variant'], message: 'needs a model' }

/** What a skill says of itself; more may be said to other programs. */
export const skillHead = z.object({ name: z.string().optional(), description: z.string().min(1).max(1_024) })

/** A folder beside the project that the model may look into: a path, `owner/name`, or either with more said about it. */
const described = { description: z.string().optional(), hidden: z.boolean().optional() }
const repository = z
  .string()
  .regex(/^(?:[\w.-]+\/[\w.-]+|(?:https|file):\/\/[^\s]+)$/, 'must be owner/name or an https address')
const reference = z.union([
  z.string().min(1),
  z.strictObject({ path: z.string().min(1), ...described }),
  z.strictObject({
    repository,
    branch: z
      .string()
      .regex(/^[\w][\w./-]*$/)
      .optional(),
    ...described,
  }),
])

const modelEntry = z.strictObject({
  name: z.string().optional(),
  family: z.string().optional(),
  tools: z.boolean().optional(),
  input: z.array(z.string()).optional(),
  context: z.number().int().positive().optional(),
  output: z.number().int().positive().optional(),
  options: modelOptions.optional(),
  /** Other options under a name that a session, an agent or a command may ask for. */
  variants: z.record(z.string().min(1), modelOptions).optional(),
  cost: z
    .strictObject({
      input: z.number().nonnegative(),
      output: z.number().nonnegative(),
      cacheRead: z.number().nonnegative().optional(),
      cacheWrite: z.number().nonnegative().optional(),
    })
    .optional(),
})

const provider = z.strictObject({
  name: z.string().optional(),
  /** Which interface its address speaks. */
  package: z.enum(providerPackages).optional(),
  baseURL: z
    .string()
    .regex(/^https?:\/\//, 'must be an http or https address')
    .optional(),
  apiKey: z.string().optional(),
  headers: z.record(z.string(), z.string()).optional(),
  /** Milliseconds that it may send nothing. */
  timeout: z.number().int().positive().max(modelQuietMsLongest).optional(),
  models: z.record(z.string(), modelEntry).optional(),
})

const anyToolServer = {
  enabled: z.boolean().optional(),
  /** Milliseconds that a call may take. */
  timeout: z.number().int().positive().max(toolServerCallMsLongest).optional(),
}
const toolServer = z.discriminatedUnion('type', [
  z.strictObject({
    type: z.literal('local'),
    /** Program and arguments. */
    command: z.array(z.string().min(1)).min(1),
    environment: z.record(z.string(), z.string()).optional(),
    ...anyToolServer,
  }),
  z.strictObject({
    type: z.literal('remote'),
    url: z
      .string()
      .regex(/^https?:\/\//, 'must be an http or https address')
      .refine((text) => {
        const url = URL.parse(text)
        return url !== null && url.username === '' && url.password === ''
      }, 'must be an address without user name and password: put credentials into "headers"'),
    headers: z.record(z.string().regex(/^[!#$%&'*+.^_`|~0-9A-Za-z-]+$/), z.string()).optional(),
    /** For a sign-in that takes no program it does not know: as this one is registered there. */
    oauth: z
      .strictObject({
        client_id: z.string().min(1).optional(),
        client_secret: z.string().min(1).optional(),
        scope: z.string().min(1).optional(),
        /** Of this machine, where the sign-in leads back to. */
        port: z.number().int().min(1_024).max(65_535).optional(),
      })
      .optional(),
    ...anyToolServer,
  }),
])

export const configuration = z.strictObject({
  $schema: z.string().optional(),
  model: modelName.optional(),
  /** Models to go on with, in this order, while the one before is overloaded or cannot be reached. */
  fallback: z.array(modelName).min(1).max(fallbackModelsMax).optional(),
  default_agent: z.string().optional(),
  server: z
    .strictObject({ hostname: z.string().min(1).optional(), port: z.number().int().min(0).max(65_535).optional() })
    .optional(),
  permission: permission.optional(),
  agent: z.record(z.string(), agentConfiguration).optional(),
  command: z.record(z.string(), commandConfiguration.refine(isVariantOfModel, variantOfNothing)).optional(),
  provider: z.record(z.string(), provider).optional(),
  /** Only these are used. */
  enabled_providers: z.array(z.string()).optional(),
  disabled_providers: z.array(z.string()).optional(),
  /** Tool servers of the Model Context Protocol. */
  mcp: z
    .record(z.string().regex(/^[A-Za-z0-9-]{1,40}$/), toolServer)
    .refine((servers) => Object.keys(servers).length <= toolServersMax, `at most ${toolServersMax} tool servers`)
    .optional(),
  references: z.record(z.string(), reference).optional(),
  /** Files with rules, as paths or patterns, from the folder of the configuration file on. */
  instructions: z
    .array(
      z
        .string()
        .min(1)
        .refine((entry) => !/^[a-z]+:\/\//i.test(entry), 'must be a path: addresses are not read'),
    )
    .optional(),
  /** More folders of skills. */
  skills: z.strictObject({ paths: z.array(z.string().min(1)) }).optional(),
  snapshot: z.boolean().optional(),
  /** What the model's commands run in. */
  sandbox: z
    .strictObject({
      enabled: z.boolean().optional(),
      /** Variables that they are given beside the harmless ones. */
      environment: z.array(z.string().regex(/^[A-Za-z_][A-Za-z0-9_]*$/)).optional(),
    })
    .optional(),
  /** Whether edits are given the form that the project's formatter gives them. */
  formatter: z.boolean().optional(),
  /** Whether language servers are asked after an edit. */
  lsp: z.boolean().optional(),
  /** Whether a project without an index of its code is given one when the model asks about its code. */
  code_index: z.boolean().optional(),
  /** The service that searches the web for the model. */
  web_search: z
    .strictObject({
      kind: z.enum(webSearchKinds),
      url: z
        .string()
        .regex(/^https?:\/\//, 'must be an http or https address')
        .optional(),
      key: z.string().min(1).optional(),
    })
    .optional(),
  /** Where the owner is told that a permission or a question waits: the service, and a token of it that may operate. */
  notify: z
    .strictObject({
      url: z
        .string()
        .regex(/^https?:\/\//, 'must be an http or https address')
        .refine((text) => {
          const url = URL.parse(text)
          return url !== null && url.username === '' && url.password === '' && url.search === '' && url.hash === ''
        }, 'must be an address without user name, password and query'),
      token: z.string().min(1),
      /** Seconds that it may stay unanswered. */
      after: z.number().int().min(notifyAfterSecondsMin).max(notifyAfterSecondsMax).optional(),
      /** Where the owner opens the page, if it is not where the server listens. */
      page: z
        .string()
        .regex(/^https?:\/\/[^\s]+$/, 'must be an http or https address')
        .optional(),
    })
    .optional(),
  /** How much of what a tool says the model is shown; the rest is kept in a file. */
  tool_output: z
    .strictObject({
      max_lines: z.number().int().min(2).max(toolOutputLinesMax).optional(),
      max_bytes: z.number().int().min(256).max(toolOutputBytesMax).optional(),
    })
    .optional(),
  compaction: z.strictObject({ auto: z.boolean().optional() }).optional(),
  /** Whether sessions read the notes of earlier ones and write notes for later ones. */
  memory: z.strictObject({ use: z.boolean().optional(), generate: z.boolean().optional() }).optional(),
  /** Whether input that waited when the server stopped is driven at the next start. */
  resume: z.boolean().optional(),
})

export type Configuration = z.output<typeof configuration>
export type AgentConfiguration = z.output<typeof agentConfiguration>
export type CommandConfiguration = z.output<typeof commandConfiguration>
export type ReferenceConfiguration = z.output<typeof reference>
export type ToolServerConfiguration = z.output<typeof toolServer>
export type RemoteServerConfiguration = Extract<ToolServerConfiguration, { type: 'remote' }>
export type ProviderConfiguration = z.output<typeof provider>

/** What a project's own file may say: nothing that names an address, a credential or a program, or listens. */
export const projectKeys: readonly (keyof Configuration)[] = [
  '$schema',
  'model',
  'default_agent',
  'server',
  'permission',
  'agent',
  'command',
  'instructions',
  'references',
  'enabled_providers',
  'disabled_providers',
  'snapshot',
  'compaction',
  'tool_output',
]
