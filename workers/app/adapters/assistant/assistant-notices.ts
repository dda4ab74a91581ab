import { unixSeconds } from '#shared/kernel/clock.ts'
import { noticeValues } from '../../core/notice-values.ts'
import { inChinese } from '../../core/reason/chinese.ts'
import { templateReason } from '../../core/reason/of-fault.ts'
import { templateEventOf } from '../../core/template-events.ts'
import { noticeItemsMax, noticeTextCharactersMax } from '../../limits.ts'
import type { AppDeps, AssistantNotices } from '../../ports.ts'
import { renderTemplate } from '../template-engine.ts'

const builtIn = { title: '', text: '' }

export function createAssistantNotices(
  deps: Pick<AppDeps, 'templates' | 'clock' | 'logger' | 'locale'>,
): AssistantNotices {
  return {
    async write(type, facts = {}) {
      const event = templateEventOf(type)
      const { timeZone } = await deps.locale.read()
      const values = noticeValues(
        event,
        facts,
        { atUnix: unixSeconds(deps.clock), timeZone },
        { textCharactersMax: noticeTextCharactersMax, itemsMax: noticeItemsMax },
        inChinese,
      )
      try {
        const { rendered, fault } = await deps.templates.render(type, values)
        if (fault !== undefined)
          deps.logger.error('template_failed', { type, reason: inChinese(templateReason(fault)) })
        return rendered.text
      } catch (cause) {
        // Why an answer ended is said also while the owner's words cannot be read.
        deps.logger.error('template_unreadable', { type, cause })
        return renderTemplate(event, builtIn, values).rendered.text
      }
    },
  }
}
