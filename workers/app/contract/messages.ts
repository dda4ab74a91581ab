/** What a script of the owner has to tell the owner. */
import * as z from '#shared/schema/deferred.ts'
import { eventTextCharactersMax, messageLinkCharactersMax, messageTitleCharactersMax } from '../limits.ts'
import { line } from './push.ts'
import { declareRoute } from './route.ts'

export const tellOwner = declareRoute('operate', 'post', '/messages', {
  operationId: 'tellOwner',
  feature: 'templates',
  summary: 'Send the owner a message',
  description:
    'Goes to the channels that are told of messages from scripts, in the words of the template `message.sent`. `channels` says how many these are; with none of them the message is dropped. What looks like a credential is masked.',
  body: z.strictObject({
    title: line(messageTitleCharactersMax).pipe(z.string().min(1)),
    text: z
      .string()
      .min(1)
      .max(eventTextCharactersMax)
      .regex(/^[^\p{Cc}]*(?:[\n\t][^\p{Cc}]*)*$/u),
    link: z
      .string()
      .max(messageLinkCharactersMax)
      .regex(/^https?:\/\/[^\s\p{Cc}]+$/u)
      .optional(),
  }),
  answers: { 200: z.object({ channels: z.int().meta({ description: 'That are told' }) }) },
  failures: ['too_many'],
})
