/** The address of a new rule that begins with what is like a torrent, and what of it the address tells. */
import type { RuleLikeBody, WireCandidate } from '../../contract/console-rules.ts'
import { discounts } from '../../core/vocabulary.ts'
import { pushTitleCharactersMax } from '../../limits.ts'
import { cut as cutTo } from './push.ts'

type Like = Pick<WireCandidate, 'title' | 'size' | 'discount'> & { readonly subtitle?: string | undefined }

const cut = (text: string) => cutTo(text, pushTitleCharactersMax)

export function ruleLikeHash({ title, subtitle, size, discount }: Like): string {
  const told = { title: cut(title), subtitle: subtitle && cut(subtitle), size, discount }
  const query = Object.entries(told).flatMap(([name, value]) => (value ? [[name, String(value)]] : []))
  return `#/rules/new?${new URLSearchParams(query)}`
}

/** Undefined where it tells of none. */
export function ruleLikeOf(query: URLSearchParams): RuleLikeBody | undefined {
  const title = cut(query.get('title') ?? '')
  const size = query.get('size') ?? ''
  return title === ''
    ? undefined
    : {
        title,
        subtitle: cut(query.get('subtitle') ?? ''),
        size: /^[0-9]{1,15}$/.test(size) ? Number(size) : undefined,
        discount: discounts.find((one) => one === query.get('discount')),
      }
}
