import { z } from '@hono/zod-openapi'
import { declareRoute } from './route.ts'

const wireLocationInfo = z
  .object({
    directory: z.string(),
    workspaceID: z.string().optional(),
    project: z.object({ id: z.string(), directory: z.string() }),
  })
  .openapi('LocationInfo')

/** Which directory a request is about; a header ending in `-directory` says the same. Without any, the active one. */
export const locationQuery = z.object({
  directory: z.string().optional(),
  workspace: z.string().optional(),
  'location[directory]': z.string().optional(),
  'location[workspace]': z.string().optional(),
})
export type LocationQuery = z.output<typeof locationQuery>

/** Data of a directory, with the directory it is about. */
export function located<T extends z.ZodType>(data: T) {
  return z.object({ location: wireLocationInfo, data })
}

export const getHealthText = declareRoute('get', '/health', {
  operationId: 'health',
  summary: 'Whether the process is healthy, as text',
  answer: 'text',
})

export const getHealth = declareRoute('get', '/api/health', {
  operationId: 'v2.health.get',
  summary: 'Whether the process is healthy; where nothing more can be stored, the failure says so',
  answer: z.object({ healthy: z.literal(true) }),
  failures: ['backend_unavailable'],
})

export const getLocation = declareRoute('get', '/api/location', {
  operationId: 'v2.location.get',
  summary: 'The active directory and its project',
  query: locationQuery,
  answer: wireLocationInfo,
})

export const followProcess = declareRoute('get', '/api/event', {
  operationId: 'v2.event.subscribe',
  summary: 'Live notifications of the whole process',
  answer: 'events',
  failures: ['backend_unavailable'],
})

const documentPaths = [
  ['openapi', '/openapi.json'],
  ['doc', '/doc'],
  ['apiDoc', '/api/doc'],
] as const

export const getDocuments = documentPaths.map(([operationId, path]) =>
  declareRoute('get', path, {
    operationId,
    summary: 'This document',
    answer: z.looseObject({ openapi: z.string() }),
  }),
)
