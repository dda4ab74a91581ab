import { eq } from 'drizzle-orm'
import type { DrizzleD1Database } from 'drizzle-orm/d1'
import { type Clock, unixSeconds } from '#shared/kernel/clock.ts'
import { eventIn, templateEventOf } from '../../core/template-events.ts'
import type { MessageTemplates } from '../../ports/messages.ts'
import { previewTemplate, renderTemplate } from '../template-engine.ts'
import { messageTemplates } from './schema/messages.ts'

/** The owner's texts: one row for each event that has some. */
export function createMessageTemplates(db: DrizzleD1Database, clock: Clock): MessageTemplates {
  return {
    preview: (type, texts, language) => previewTemplate(eventIn(templateEventOf(type), language), texts),

    async stored() {
      const rows = await db.select().from(messageTemplates)
      return new Map(rows.map(({ type, ...template }) => [type, template]))
    },

    async save(type, { title, text }) {
      if (title === '' && text === '') {
        await db.delete(messageTemplates).where(eq(messageTemplates.type, type))
        return undefined
      }
      const template = { title, text, updatedAtUnix: unixSeconds(clock) }
      await db
        .insert(messageTemplates)
        .values({ type, ...template })
        .onConflictDoUpdate({ target: messageTemplates.type, set: template })
      return template
    },

    async render(type, values, language) {
      const [own] = await db.select().from(messageTemplates).where(eq(messageTemplates.type, type))
      return renderTemplate(eventIn(templateEventOf(type), language), own ?? { title: '', text: '' }, values)
    },
  }
}
