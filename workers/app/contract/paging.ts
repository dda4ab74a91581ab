import * as z from '#shared/schema/deferred.ts'
import { keywordCharactersMax, pageSizeDefault } from '../limits.ts'

/** A whole number written in decimal digits; anything else is refused, never rounded or clamped. */
export function wholeNumber(min: number, max: number): z.ZodType<number, string> {
  return z
    .string()
    .regex(/^[0-9]{1,15}$/)
    .transform(Number)
    .pipe(z.number().int().min(min).max(max))
    .meta({ type: 'integer', minimum: min, maximum: max }) as unknown as z.ZodType<number, string>
}

export const yesOrNo = z
  .enum(['true', 'false'])
  .transform((text) => text === 'true')
  .meta({ type: 'boolean' }) as unknown as z.ZodType<boolean, string>

/** The largest page number worth asking for; beyond it arithmetic on offsets would lose exactness. */
const pageMax = 1_000_000

export function pageParameters(pageSizeMax: number) {
  return {
    page: wholeNumber(1, pageMax).prefault('1'),
    page_size: wholeNumber(1, pageSizeMax).prefault(String(pageSizeDefault)),
  }
}

/** Search words of a list: trimmed, at most 100 characters; blank words filter nothing. */
export const keyword = z
  .string()
  .transform((text) => text.trim())
  .refine((text) => [...text].length <= keywordCharactersMax)
  .meta({ type: 'string', maxLength: keywordCharactersMax })

/** `{items, total, page, page_size}` of every paged endpoint. */
export function pageOf<T extends z.ZodType>(item: T) {
  return { items: z.array(item), total: z.int().min(0), page: z.int().min(1), page_size: z.int().min(1) }
}
