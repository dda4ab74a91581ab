/** What is known of the channels in which named sites say what is new, for whoever adds one. */
import * as z from '#shared/schema/deferred.ts'
import { readAnnounceLine } from '../core/feeds/announce.ts'
import { announceEnterCharactersMax, siteNameCharactersMax } from '../limits.ts'
import { wireAnnounces } from './console-feeds.ts'

export const wireSiteAnnounces = wireAnnounces.omit({ certificate: true }).extend({
  /** Encrypted, without the owner's name and password. */
  server: z.string().regex(/^ircs:\/\/[a-z0-9.-]+:[0-9]{2,5}$/),
  /** Of a channel that opens by a command to its announcer, with names in braces for what is the owner's. */
  enter: z
    .string()
    .max(announceEnterCharactersMax)
    .regex(/^[^ {}]+ [^{}]*(?:\{user\}[^{}]*)?\{key\}[^{}]*$/)
    .optional(),
})
export type SiteAnnounces = z.infer<typeof wireSiteAnnounces>

/** By the id of a ready-made definition. */
export const siteAnnounces = z.record(
  z.string().min(1).max(siteNameCharactersMax),
  wireSiteAnnounces.refine(({ line }) => readAnnounceLine(line) !== undefined, { path: ['line'] }),
)
