import { unixSeconds } from '#shared/kernel/clock.ts'
import type { renderTemplate } from '../../adapters/template-engine.ts'
import { eventValues } from '../../core/event-values.ts'
import { inChinese } from '../../core/reason/chinese.ts'
import { templateReason } from '../../core/reason/of-fault.ts'
import { sayIn, sentenceIn } from '../../core/reason/say.ts'
import { eventIn, templateEventOf } from '../../core/template-events.ts'
import { eventItemsMax, eventTextCharactersMax } from '../../limits.ts'
import type { AssistantNotices } from '../../ports/assistant.ts'
import type { AppDeps } from '../../ports.ts'
import { knownLocale } from './known-locale.ts'

const builtIn = { title: '', text: '' }

export function createAssistantNotices(
  deps: Pick<AppDeps, 'templates' | 'clock' | 'logger' | 'locale'> & {
    readonly renderTemplate: typeof renderTemplate
  },
): AssistantNotices {
  return {
    async say(reason) {
      const { language } = await knownLocale(deps)
      return sentenceIn(language)(reason)
    },

    async write(type, facts = {}) {
      const { timeZone, language } = await knownLocale(deps)
      const event = eventIn(templateEventOf(type), language)
      const values = eventValues(
        event,
        facts,
        { atUnix: unixSeconds(deps.clock), timeZone },
        { textCharactersMax: eventTextCharactersMax, itemsMax: eventItemsMax },
        sayIn(language),
      )
      try {
        const { rendered, fault } = await deps.templates.render(type, values, language)
        if (fault !== undefined)
          deps.logger.error('template_failed', { type, reason: inChinese(templateReason(fault)) })
        return rendered.text
      } catch (cause) {
        // Why an answer ended is said also while the owner's words cannot be read.
        deps.logger.error('template_unreadable', { type, cause })
        return deps.renderTemplate(event, builtIn, values).rendered.text
      }
    },
  }
}
