import { z } from '@hono/zod-openapi'
import { idPattern } from '../core/identifier.ts'
import { terminalSocketPath } from '../core/raw-paths.ts'
import { terminalStatuses } from '../core/vocabulary.ts'
import {
  terminalArgumentCharactersMax,
  terminalArgumentsMax,
  terminalBodyBytesMax,
  terminalSideMax,
  terminalTitleCharactersMax,
  terminalVariablesMax,
} from '../limits.ts'
import { located, locationQuery } from './location.ts'
import { declareRoute } from './route.ts'

const wireTerminal = z
  .object({
    id: z.string(),
    title: z.string(),
    command: z.string(),
    args: z.array(z.string()),
    cwd: z.string(),
    status: z.enum(terminalStatuses),
    pid: z.number().int(),
    exitCode: z.number().int().optional(),
  })
  .openapi('Pty')

const terminalParams = z.object({ ptyID: z.string().regex(idPattern.terminal, 'must start with pty') })

/** What a program is given cannot hold a byte of nothing. */
const argument = z
  .string()
  .max(terminalArgumentCharactersMax)
  .regex(/^[^\0]*$/, 'must not hold a NUL')
const title = z.string().min(1).max(terminalTitleCharactersMax)
const side = z.number().int().min(1).max(terminalSideMax)
const size = z.strictObject({ rows: side, cols: side })
const variables = z
  .record(z.string().regex(/^[A-Za-z_][A-Za-z0-9_]*$/, 'must be a name of a variable'), argument)
  .refine((named) => Object.keys(named).length <= terminalVariablesMax, `must name at most ${terminalVariablesMax}`)

export const listTerminals = declareRoute('get', '/api/pty', {
  operationId: 'v2.pty.list',
  summary: 'Terminals of the location, oldest first',
  query: locationQuery,
  answer: located(z.array(wireTerminal)),
})

export const createTerminal = declareRoute('post', '/api/pty', {
  operationId: 'v2.pty.create',
  summary: 'Starts a program in a terminal of its own; without a command the login shell',
  query: locationQuery,
  bodyBytesMax: terminalBodyBytesMax,
  body: z.strictObject({
    command: argument.min(1).optional(),
    args: z.array(argument).max(terminalArgumentsMax).optional(),
    cwd: argument.min(1).optional(),
    title: title.optional(),
    env: variables.optional(),
    size: size.optional(),
  }),
  answer: located(wireTerminal),
  failures: ['conflict', 'backend_unavailable'],
})

export const getTerminal = declareRoute('get', '/api/pty/{ptyID}', {
  operationId: 'v2.pty.get',
  summary: 'One terminal',
  params: terminalParams,
  query: locationQuery,
  answer: located(wireTerminal),
  failures: ['not_found'],
})

export const updateTerminal = declareRoute('put', '/api/pty/{ptyID}', {
  operationId: 'v2.pty.update',
  summary: 'Changes title and size',
  params: terminalParams,
  query: locationQuery,
  bodyBytesMax: terminalBodyBytesMax,
  body: z.strictObject({ title: title.optional(), size: size.optional() }),
  answer: located(wireTerminal),
  failures: ['not_found'],
})

export const removeTerminal = declareRoute('delete', '/api/pty/{ptyID}', {
  operationId: 'v2.pty.remove',
  summary: 'Ends everything that runs in the terminal and removes it',
  params: terminalParams,
  query: locationQuery,
  answer: 'none',
  failures: ['not_found'],
})

export const mintConnectToken = declareRoute('post', '/api/pty/{ptyID}/connect-token', {
  operationId: 'v2.pty.connectToken',
  summary: 'A token for one connection to this terminal; it does not replace the credentials of the server',
  params: terminalParams,
  query: locationQuery,
  answer: located(z.object({ ticket: z.string(), expires_in: z.number().int() })),
  failures: ['not_found'],
})

export const connectTerminal = declareRoute('get', terminalSocketPath, {
  operationId: 'v2.pty.connect',
  summary: 'Becomes the WebSocket of a terminal: what it has shown, a control frame, then what it shows',
  params: terminalParams,
  query: locationQuery.extend({
    ticket: z.string().optional(),
    cursor: z
      .string()
      .regex(/^(?:-1|0|[1-9]\d{0,14})$/, 'must be -1 or a whole number')
      .transform(Number)
      .optional(),
  }),
  answer: 'socket',
  failures: ['not_found'],
})
