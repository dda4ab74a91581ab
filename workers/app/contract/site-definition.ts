/** What a ready-made site definition may say, and what the owner may override for one site. */
import * as z from '#shared/schema/deferred.ts'
import { labelNames } from '../core/site.ts'
import { mayBeOwners } from '../core/site-headers.ts'
import { siteHostPattern, siteKinds } from '../core/vocabulary.ts'
import {
  inactivityDaysMax,
  siteAddressCharactersMax,
  siteChoiceCharactersMax,
  siteChoicesMax,
  siteDisplayNameCharactersMax,
  siteHeaderNameCharactersMax,
  siteHeadersMax,
  siteHeaderValueCharactersMax,
  siteHostCharactersMax,
  siteHostsMax,
  siteIntervalMsMax,
  siteLabelCharactersMax,
  siteLabelsMax,
  siteNameCharactersMax,
  sitePathCharactersMax,
  siteUserAgentCharactersMax,
  utcOffsetMinutesMax,
} from '../limits.ts'
import { ask } from './rule.ts'

const shortText = z.string().min(1).max(200)

/** A page of the site, relative to its address: never an address of its own. */
const relativePath = z
  .string()
  .min(1)
  .max(sitePathCharactersMax)
  .regex(/^(?!\/)(?![a-z][a-z0-9+.-]*:)[^\s\\]+$/i, '必须是相对于站点地址的路径')

const headerName = z
  .string()
  .max(siteHeaderNameCharactersMax)
  .regex(/^[\w!#$%&'*+.^`|~-]+$/)

/** Printable, on one line; a blank at its end would not arrive. */
const headerValue = z
  .string()
  .max(siteHeaderValueCharactersMax)
  .regex(/^(?:[\x21-\x7e](?:[\x20-\x7e]*[\x21-\x7e])?)?$/)

/** Checked as a whole: a schema for the names would put a refused name into the place of the field. */
const headers = z.record(z.string(), headerValue).superRefine((given, context) => {
  const names = Object.keys(given)
  const refused = names.filter((name) => !headerName.safeParse(name).success || !mayBeOwners(name))
  const isTwice = new Set(names.map((name) => name.toLowerCase())).size < names.length
  if (refused.length > 0 || isTwice) {
    const rule = refused.length > 0 ? 'rule.not_a_free_header' : 'rule.header_twice'
    context.addIssue({ code: 'custom', ...ask({ kind: rule }) })
  }
  if (names.length > siteHeadersMax)
    context.addIssue({ code: 'custom', ...ask({ kind: 'rule.at_most', limit: siteHeadersMax, unit: 'items' }) })
})

/** As it stands on the page, without the colon behind it. */
const label = z
  .string()
  .min(1)
  .max(siteLabelCharactersMax)
  .regex(/^[^\p{C}\s:：](?:[^\p{C}:：]*[^\p{C}\s:：])?$/u)

/** As another service may know the site by. */
const host = z.string().max(siteHostCharactersMax).regex(siteHostPattern, '只能是主机名，例如 pt.example.org')

/** Everything here is optional; what is left out keeps the default of the kind. */
export const siteOverrides = z.strictObject({
  utc_offset_minutes: z.int().min(-utcOffsetMinutesMax).max(utcOffsetMinutesMax).optional(),
  request_interval_ms: z.int().min(0).max(siteIntervalMsMax).optional(),
  /** Names for searches, each with the site's own category ids. */
  categories: z
    .record(
      z.string().min(1).max(64),
      z
        .array(z.string().regex(/^[\w.-]{1,32}$/))
        .min(1)
        .max(50),
    )
    .optional(),
  paths: z
    .strictObject({
      /** With `{keyword}` in it, all of the address; its parameter with `{id}` is there for each category asked for. */
      search: relativePath.optional(),
      home: relativePath.optional(),
      user: relativePath.optional(),
      seeding: relativePath.optional(),
      bonus: relativePath.optional(),
      sign_in: relativePath.optional(),
      /** With `{id}` in it, all of the address. */
      download: relativePath.optional(),
      /** Where it is asked for torrents by their pieces. */
      pieces: relativePath.optional(),
      /** Where a torrent is shown, without its number. */
      torrent: relativePath.optional(),
    })
    .optional(),
  selectors: z
    .strictObject({ torrents: shortText.optional(), title: shortText.optional(), info_block: shortText.optional() })
    .optional(),
  /** What the owner chose among what a definition of theirs offers, by its names. */
  choices: z
    .record(z.string().regex(/^[A-Za-z0-9_-]{1,64}$/), z.string().max(siteChoiceCharactersMax))
    .refine((given) => Object.keys(given).length <= siteChoicesMax)
    .optional(),
  /** What the site calls the figures on its pages; the words given are the only ones looked for. */
  labels: z.partialRecord(z.enum(labelNames), z.array(label).min(1).max(siteLabelsMax)).optional(),
  /** Sent with every call to the site, besides what its kind needs. They are shown again: nothing secret belongs here. */
  headers: headers.optional(),
  /** Where else it is, for services that know it by another host than its address has. Nothing is asked there. */
  hosts: z.array(host).min(1).max(siteHostsMax).optional(),
  /** False where signing in needs a person. */
  signs_in: z.boolean().optional(),
  /** False where the site's lists tell too little to be read: its account is shown, and it is not searched. */
  searches: z.boolean().optional(),
  /** What the site is told as the browser. A cookie that a site's guard gave is only good with the one it was given to. */
  user_agent: z
    .string()
    .min(1)
    .max(siteUserAgentCharactersMax)
    .regex(/^[\x20-\x7e]+$/, '只能用可打印的 ASCII 字符')
    .optional(),
})
export type SiteOverrides = z.infer<typeof siteOverrides>

const siteDefinition = z.strictObject({
  id: z
    .string()
    .max(siteNameCharactersMax)
    .regex(/^[a-z0-9][a-z0-9_-]*$/, '只能用小写字母、数字、- 和 _'),
  name: z.string().min(1).max(siteDisplayNameCharactersMax),
  /** Where the name has words of one language. */
  name_en: z.string().min(1).max(siteDisplayNameCharactersMax).optional(),
  kind: z.enum(siteKinds),
  /** Left out where every owner has another one. */
  address: z
    .url({ protocol: /^https?$/ })
    .max(siteAddressCharactersMax)
    .optional(),
  inactivity_days: z.int().min(1).max(inactivityDaysMax).optional(),
  overrides: siteOverrides.optional(),
})
export type SiteDefinition = z.infer<typeof siteDefinition>

export const siteDefinitions = z
  .array(siteDefinition)
  .refine((list) => new Set(list.map(({ id }) => id)).size === list.length, { message: '有重复的 id' })
