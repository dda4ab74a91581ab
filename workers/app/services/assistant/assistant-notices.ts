import { unixSeconds } from '#shared/kernel/clock.ts'
import type { renderTemplate } from '../../adapters/template-engine.ts'
import { noticeValues } from '../../core/notice-values.ts'
import { inChinese } from '../../core/reason/chinese.ts'
import { templateReason } from '../../core/reason/of-fault.ts'
import { sayIn } from '../../core/reason/say.ts'
import { eventIn, templateEventOf } from '../../core/template-events.ts'
import { noticeItemsMax, noticeTextCharactersMax } from '../../limits.ts'
import type { AssistantNotices } from '../../ports/assistant.ts'
import type { AppDeps } from '../../ports.ts'

const builtIn = { title: '', text: '' }

export function createAssistantNotices(
  deps: Pick<AppDeps, 'templates' | 'clock' | 'logger' | 'locale'> & {
    readonly renderTemplate: typeof renderTemplate
  },
): AssistantNotices {
  return {
    async write(type, facts = {}) {
      const { timeZone, language } = await deps.locale.read()
      const event = eventIn(templateEventOf(type), language)
      const values = noticeValues(
        event,
        facts,
        { atUnix: unixSeconds(deps.clock), timeZone },
        { textCharactersMax: noticeTextCharactersMax, itemsMax: noticeItemsMax },
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
