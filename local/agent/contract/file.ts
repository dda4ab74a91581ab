import { z } from '@hono/zod-openapi'
import { entryTypes } from '../core/vocabulary.ts'
import { findQueryCharactersMax, findResultsDefault, findResultsMax } from '../limits.ts'
import { located, locationQuery } from './location.ts'
import { declareRoute, wholeNumber } from './route.ts'

const wireEntry = z
  .object({
    path: z.string().openapi({ description: 'From the location on; that of a directory ends in a slash.' }),
    type: z.enum(entryTypes),
  })
  .openapi('FileSystemEntry')

const entries = located(z.array(wireEntry)).extend({
  truncated: z.boolean().openapi({ description: 'A bound was met first: what is not here may still exist.' }),
})

export const listChangedFiles = declareRoute('get', '/api/fs/changed', {
  operationId: 'v2.fs.changed',
  summary: 'Files of the location that differ from the last commit of its repository; null outside of one',
  query: locationQuery.extend({
    path: z.string().optional().openapi({ description: 'One of them alone, with its difference.' }),
  }),
  answer: located(
    z
      .array(
        z.object({
          path: z.string().openapi({ description: 'From the location on; that of a new folder ends in a slash.' }),
          status: z.enum(['added', 'modified', 'deleted']),
          additions: z.number().int().optional(),
          deletions: z.number().int().optional(),
          patch: z
            .string()
            .optional()
            .openapi({ description: 'Unified; absent where it is too long, or of a new file.' }),
        }),
      )
      .nullable(),
  ).extend({ branch: z.string().optional(), truncated: z.boolean() }),
  failures: ['backend_unavailable', 'filesystem_error'],
})

export const readFile = declareRoute('get', '/api/fs/read/{*path}', {
  operationId: 'v2.fs.read',
  summary: 'The bytes of one file of the project, with its content type',
  params: z.object({ '*path': z.string().min(1) }),
  query: locationQuery,
  answer: 'bytes',
  failures: ['not_found', 'file_too_large', 'filesystem_error'],
})

export const listFiles = declareRoute('get', '/api/fs/list', {
  operationId: 'v2.fs.list',
  summary: 'What lies directly in a directory of the project: directories first; links are left out',
  query: locationQuery.extend({ path: z.string().optional() }),
  answer: entries,
  failures: ['not_found', 'filesystem_error'],
})

export const findFiles = declareRoute('get', '/api/fs/find', {
  operationId: 'v2.fs.find',
  summary: 'Files, and the directories they lie in, whose path holds the characters of the query in their order',
  query: locationQuery.extend({
    query: z.string().max(findQueryCharactersMax),
    type: z.enum(entryTypes).optional(),
    limit: wholeNumber(1, findResultsMax).default(findResultsDefault),
  }),
  answer: entries,
  failures: ['filesystem_error'],
})
