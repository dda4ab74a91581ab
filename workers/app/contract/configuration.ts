/** What a file declares: the same bodies as of the console's forms, with what may be left out, and how they are applied. */
import * as z from '#shared/schema/deferred.ts'
import { serviceTypes } from '../core/channel-services/services.ts'
import { declaredChanges, declaredKinds, eventTypes } from '../core/vocabulary.ts'
import { channelsMax, downloadersMax, librariesMax, sitesMax } from '../limits.ts'
import { downloaderBody } from './console.ts'
import { channelBody } from './console-channels.ts'
import { libraryBody } from './console-libraries.ts'
import { siteBody } from './console-sites.ts'
import { withReason } from './reason.ts'
import { declareRoute } from './route.ts'

const on = z.boolean().default(true)
const off = z.boolean().default(false)

/** One entry of each kind. A name that is new is a new entry: it is by its name that an entry is known. */
export const declaredShapes = {
  downloaders: downloaderBody.extend({
    username: downloaderBody.shape.username.default(''),
    enabled: on,
    default: off,
  }),
  libraries: libraryBody.extend({ default: off }),
  sites: siteBody.extend({
    display_name: siteBody.shape.display_name.default(''),
    definition: siteBody.shape.definition.default(''),
    enabled: on,
    auto_sign_in: off,
  }),
  channels: channelBody.omit({ p256dh: true, auth: true }).extend({
    /** A browser is a channel only from within itself. */
    type: z.enum(['webhook', 'bot', ...serviceTypes]),
    events: channelBody.shape.events.default([...eventTypes]),
    enabled: on,
  }),
} as const

export const declaredMax = {
  downloaders: downloadersMax,
  libraries: librariesMax,
  sites: sitesMax,
  channels: channelsMax,
} as const

const configurationBody = z.strictObject({
  downloaders: z.array(declaredShapes.downloaders).max(declaredMax.downloaders).default([]),
  libraries: z.array(declaredShapes.libraries).max(declaredMax.libraries).default([]),
  sites: z.array(declaredShapes.sites).max(declaredMax.sites).default([]),
  channels: z.array(declaredShapes.channels).max(declaredMax.channels).default([]),
})
export type ConfigurationBody = z.output<typeof configurationBody>

const wireDeclaredItem = z.object({
  kind: z.enum(declaredKinds),
  name: z.string(),
  /** `take_over`: it is there and was not the file's. `release`: it stays, and is not the file's any more. */
  change: z.enum(declaredChanges),
  /** Of `change`: what is another value. */
  fields: z.array(z.string()).optional(),
  /** Why this one was left as it was. */
  error: z.string().optional(),
  ...withReason,
})
export type WireDeclaredItem = z.infer<typeof wireDeclaredItem>

/** Always 200 once the document makes sense: what became of each entry that differs is in the answer. */
export const applyConfiguration = declareRoute('configure', 'put', '/configuration', {
  operationId: 'applyConfiguration',
  summary: 'Declare everything at once; what the last declaration had and this one has not is released and stays',
  query: z.object({ dry_run: z.literal('1').optional() }),
  body: configurationBody,
  answers: { 200: z.object({ items: z.array(wireDeclaredItem) }) },
})
