/** One condition of a rule as it is sent and stored, for rules of each kind. */
import * as z from '#shared/schema/deferred.ts'
import {
  flagFields,
  heldFlagFields,
  heldNumberFields,
  heldSetFields,
  numberFields,
  numberOperators,
  setFields,
  setOperators,
  titleOperators,
} from '../core/rules/filter-rule.ts'
import { isTitlePattern } from '../core/rules/title-pattern.ts'
import { ruleNumberMax, ruleWordCharactersMax, ruleWordsMax } from '../limits.ts'

const words = z.array(z.string().trim().min(1).max(ruleWordCharactersMax)).min(1).max(ruleWordsMax)
const orUnknown = { or_unknown: z.boolean().optional() }

/** What rules of a kind may ask; of the title all of them. */
export function conditionOf<Number extends string, Set extends string, Flag extends string>(fields: {
  readonly numbers: readonly Number[]
  readonly sets: readonly Set[]
  readonly flags: readonly Flag[]
}) {
  return z.union([
    z.strictObject({
      field: z.enum(fields.numbers),
      op: z.enum(numberOperators),
      value: z.number().min(0).max(ruleNumberMax),
      ...orUnknown,
    }),
    z.strictObject({ field: z.enum(fields.sets), op: z.enum(setOperators), value: words, ...orUnknown }),
    z
      .strictObject({ field: z.literal('title'), op: z.enum(titleOperators), value: words })
      .refine(({ op, value }) => (op !== 'matches' && op !== 'not_matches') || value.every(isTitlePattern), {
        path: ['value'],
      }),
    z.strictObject({ field: z.enum(fields.flags), op: z.literal('is'), value: z.boolean(), ...orUnknown }),
  ])
}

/** Of any kind of rule, as a verdict tells it. */
export const anyCondition = conditionOf({
  numbers: [...numberFields, ...heldNumberFields],
  sets: [...setFields, ...heldSetFields],
  flags: [...flagFields, ...heldFlagFields],
})
