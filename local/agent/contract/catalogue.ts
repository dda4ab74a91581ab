import { z } from '@hono/zod-openapi'
import { agentModes, permissionEffects } from '../core/vocabulary.ts'
import { located, locationQuery } from './location.ts'
import { wireModelRef } from './message.ts'
import { declareRoute } from './route.ts'

const request = z.object({ headers: z.record(z.string(), z.string()), body: z.record(z.string(), z.unknown()) })

const wireAgent = z
  .object({
    id: z.string(),
    model: wireModelRef.optional(),
    request,
    system: z.string().optional(),
    description: z.string().optional(),
    mode: z.enum(agentModes),
    hidden: z.boolean(),
    color: z.string().optional(),
    steps: z.number().int().optional(),
    permissions: z.array(z.object({ action: z.string(), resource: z.string(), effect: z.enum(permissionEffects) })),
  })
  .openapi('Agent')

const wireCommand = z
  .object({
    name: z.string(),
    template: z.string(),
    description: z.string().optional(),
    agent: z.string().optional(),
    model: wireModelRef.optional(),
    subtask: z.boolean().optional(),
  })
  .openapi('Command')

const wireSkill = z
  .object({
    name: z.string(),
    description: z.string().optional(),
    slash: z.boolean().optional(),
    location: z.string(),
    content: z.string(),
  })
  .openapi('Skill')

const said = { description: z.string().optional(), hidden: z.boolean().optional() }

const wireReference = z
  .object({
    name: z.string(),
    path: z.string(),
    ...said,
    source: z.discriminatedUnion('type', [
      z.object({ type: z.literal('local'), path: z.string(), ...said }),
      z.object({ type: z.literal('git'), repository: z.string(), branch: z.string().optional(), ...said }),
    ]),
  })
  .openapi('Reference')

const api = z.object({
  id: z.string().optional(),
  type: z.literal('aisdk'),
  package: z.string(),
  url: z.string().optional(),
})

const wireModel = z
  .object({
    id: z.string(),
    providerID: z.string(),
    family: z.string().optional(),
    name: z.string(),
    api,
    capabilities: z.object({ tools: z.boolean(), input: z.array(z.string()), output: z.array(z.string()) }),
    request,
    variants: z.array(
      z.object({ id: z.string(), headers: z.record(z.string(), z.string()), body: z.record(z.string(), z.unknown()) }),
    ),
    time: z.object({ released: z.number() }),
    cost: z.array(
      z.object({
        tier: z.object({ type: z.literal('context'), size: z.number() }).optional(),
        input: z.number(),
        output: z.number(),
        cache: z.object({ read: z.number(), write: z.number() }),
      }),
    ),
    status: z.enum(['alpha', 'beta', 'deprecated', 'active']),
    enabled: z.boolean(),
    limit: z.object({ context: z.number(), input: z.number().optional(), output: z.number() }),
  })
  .openapi('Model')

const wireProvider = z
  .object({
    id: z.string(),
    integrationID: z.string().optional(),
    name: z.string(),
    disabled: z.boolean().optional(),
    api,
    request,
  })
  .openapi('Provider')

const wireIntegration = z
  .object({
    id: z.string(),
    name: z.string(),
    methods: z.array(
      z.union([
        z.object({ type: z.literal('key'), label: z.string().optional() }),
        z.object({ type: z.literal('env'), names: z.array(z.string()) }),
      ]),
    ),
    connections: z.array(
      z.union([
        z.object({ type: z.literal('env'), name: z.string() }),
        z.object({ type: z.literal('credential'), id: z.string(), label: z.string() }),
      ]),
    ),
  })
  .openapi('Integration')

export type WireAgent = z.output<typeof wireAgent>
export type WireCommand = z.output<typeof wireCommand>
export type WireSkill = z.output<typeof wireSkill>
export type WireReference = z.output<typeof wireReference>
export type WireModel = z.output<typeof wireModel>
export type WireProvider = z.output<typeof wireProvider>
export type WireIntegration = z.output<typeof wireIntegration>

export const listAgents = declareRoute('get', '/api/agent', {
  operationId: 'v2.agent.list',
  summary: 'Agents of the location: built in first, then those of the configuration',
  query: locationQuery,
  answer: located(z.array(wireAgent)),
})

export const listCommands = declareRoute('get', '/api/command', {
  operationId: 'v2.command.list',
  summary: 'Commands of the location',
  query: locationQuery,
  answer: located(z.array(wireCommand)),
})

export const listSkills = declareRoute('get', '/api/skill', {
  operationId: 'v2.skill.list',
  summary: 'Skills of the location',
  query: locationQuery,
  answer: located(z.array(wireSkill)),
})

export const listReferences = declareRoute('get', '/api/reference', {
  operationId: 'v2.reference.list',
  summary: 'References of the location',
  query: locationQuery,
  answer: located(z.array(wireReference)),
})

export const listModels = declareRoute('get', '/api/model', {
  operationId: 'v2.model.list',
  summary: 'Models of the providers that can be used',
  query: locationQuery,
  answer: located(z.array(wireModel)),
})

export const listProviders = declareRoute('get', '/api/provider', {
  operationId: 'v2.provider.list',
  summary: 'Providers that can be used',
  query: locationQuery,
  answer: located(z.array(wireProvider)),
})

export const getProvider = declareRoute('get', '/api/provider/{providerID}', {
  operationId: 'v2.provider.get',
  summary: 'One provider',
  params: z.object({ providerID: z.string().min(1) }),
  query: locationQuery,
  answer: located(wireProvider),
  failures: ['not_found'],
})

export const listIntegrations = declareRoute('get', '/api/integration', {
  operationId: 'v2.integration.list',
  summary: 'What can be connected, and how',
  query: locationQuery,
  answer: located(z.array(wireIntegration)),
})

export const getIntegration = declareRoute('get', '/api/integration/{integrationID}', {
  operationId: 'v2.integration.get',
  summary: 'One integration; `data` is null for an unknown one',
  params: z.object({ integrationID: z.string().min(1) }),
  query: locationQuery,
  answer: located(wireIntegration.nullable()),
})
