/** The console's endpoints for backups, which a service on one's own machine keeps. */

import * as z from '#shared/schema/deferred.ts'
import { backupReasons } from '../core/operating/machine.ts'
import { backupNameCharactersMax } from '../limits.ts'
import { withReason } from './reason.ts'
import { declareRoute, emptyBody, type RouteDeclaration } from './route.ts'

const wireReadBack = z.object({
  at: z.int(),
  ok: z.boolean(),
  /** Of all databases, when it is whole. */
  rows: z.int().optional(),
  /** What is wrong with it. */
  ...withReason,
})
export type WireReadBack = z.infer<typeof wireReadBack>

const wireBackup = z.object({
  name: z.string(),
  at: z.int(),
  why: z.enum(backupReasons),
  bytes: z.int(),
  sealed: z.boolean(),
  /** Whether it is in the bucket too; left out where there is none. */
  away: z.boolean().optional(),
  /** Left out while it was not read back. */
  read_back: wireReadBack.optional(),
})
export type WireBackup = z.infer<typeof wireBackup>

const wireBackupList = z.object({
  /** False at the edge, where the platform keeps the past. */
  own_machine: z.boolean(),
  /** Whether they are made by themselves. */
  automatic: z.boolean(),
  /** Where they lie. */
  folder: z.string().optional(),
  items: z.array(wireBackup),
  /** The bucket they are sent to as well: how many are there, and when it was last asked. */
  bucket: z
    .object({
      address: z.string(),
      count: z.int(),
      at: z.int().optional(),
      /** Why it could not be done last. */
      ...withReason,
    })
    .optional(),
})
export type WireBackupList = z.infer<typeof wireBackupList>

export const listBackups = declareRoute('session', 'get', '/backups', {
  operationId: 'listBackups',
  summary: '备份，最新在前',
  answers: { 200: wireBackupList },
})

/** Answers when it is made. 409 `busy` while another one is made or read; 404 at the edge. */
export const makeBackup = declareRoute('session', 'post', '/backups', {
  operationId: 'makeBackup',
  summary: '立即备份',
  body: emptyBody,
  answers: { 200: wireBackup },
  failures: ['busy_conflict'],
})

const named = z.object({ name: z.string().min(1).max(backupNameCharactersMax) })

/** Unpacks it beside the others, opens every database, and says what came of it. */
export const readBackBackup = declareRoute('session', 'post', '/backups/{name}/read-back', {
  operationId: 'readBackBackup',
  isTrial: true,
  summary: '校验备份',
  params: named,
  body: emptyBody,
  answers: { 200: wireReadBack },
  failures: ['busy_conflict'],
})

export const downloadBackup = declareRoute('session', 'get', '/backups/{name}/file', {
  operationId: 'downloadBackup',
  summary: '下载备份',
  params: named,
  answers: { 200: 'file' },
})

export const consoleBackupDeclarations: readonly RouteDeclaration[] = [
  listBackups,
  makeBackup,
  readBackBackup,
  downloadBackup,
]
