/** What a level asks for, as it is written. */
import type { WireLevelCondition } from '../../contract/site-watch.ts'
import { words } from '../locales/words.ts'
import { bytesAmount, grouped, joined, ratioText } from '../model/amounts.ts'
import { language } from '../preferences.ts'

export function amountText(condition: WireLevelCondition['condition'], amount: number): string {
  const text = words.value.siteWatch
  switch (condition) {
    case 'uploaded':
    case 'downloaded':
    case 'traffic':
    case 'seeding_size':
      return joined(bytesAmount(amount))
    case 'ratio':
      return ratioText(amount)
    case 'days':
    case 'seeding_days':
    case 'average_seeding_days':
      return text.days(grouped(Math.floor(amount)))
    default:
      return grouped(Math.floor(amount))
  }
}

export function dateText(unix: number): string {
  return new Intl.DateTimeFormat(language.value === 'zh' ? 'zh-CN' : 'en-GB', { dateStyle: 'medium' }).format(
    unix * 1000,
  )
}
