/** What certain sites ask of their members: levels with their conditions, and how long what is taken has to be seeded. */
import * as z from '#shared/schema/deferred.ts'
import { siteDisplayNameCharactersMax, siteNameCharactersMax } from '../limits.ts'

const positive = z.number().positive()
const bytes = z.int().positive()

/** All of them have to hold. Amounts are bytes. */
const conditions = {
  /** Since the account was made. */
  days: positive.optional(),
  uploaded: bytes.optional(),
  downloaded: bytes.optional(),
  /** Uploaded and downloaded together. */
  traffic: bytes.optional(),
  ratio: positive.optional(),
  bonus: positive.optional(),
  seeding_points: positive.optional(),
  seeding: z.int().positive().optional(),
  seeding_size: bytes.optional(),
  uploads: z.int().positive().optional(),
  snatched: z.int().positive().optional(),
  /** Seeded for so long, all torrents together or each on average. */
  seeding_days: positive.optional(),
  average_seeding_days: positive.optional(),
  /** And something that no figure of an account tells. */
  other: z.literal(true).optional(),
}

const name = z.string().min(1).max(siteDisplayNameCharactersMax)

const siteLevel = z.strictObject({
  name,
  /** What pages in other languages call it. */
  aka: z.array(name).min(1).max(10).optional(),
  /** Of those that nobody rises to. */
  group: z.enum(['vip', 'staff']).optional(),
  /** Accounts of this level are kept without visits. */
  kept: z.literal(true).optional(),
  ...conditions,
  /** And one of these. */
  any_of: z.array(z.strictObject(conditions)).min(1).max(10).optional(),
})

const hitAndRun = z
  .strictObject({
    seed_hours: positive.optional(),
    /** Uploaded by downloaded: with it nothing has to be seeded longer. */
    ratio: positive.optional(),
  })
  .refine(({ seed_hours, ratio }) => seed_hours !== undefined || ratio !== undefined)

export type HitAndRunRule = z.infer<typeof hitAndRun>

const rules = z.strictObject({
  hit_and_run: hitAndRun.optional(),
  /** From the lowest to the highest. */
  levels: z.array(siteLevel).min(1).max(60).optional(),
})
export type SiteRules = z.infer<typeof rules>

/** By the id of a ready-made definition. */
export const siteRules = z.record(z.string().min(1).max(siteNameCharactersMax), rules)
