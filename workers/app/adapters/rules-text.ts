import { z } from '@hono/zod-openapi'
import { stringify } from 'yaml'
import { failWith, succeed } from '#shared/kernel/result.ts'
import { writtenRule } from '../contract/console-rules.ts'
import type { PlacedFault } from '../core/cardigann/checked-definition.ts'
import { filterRulesMax, rulesTextBytesMax, rulesTextFaultsMax } from '../limits.ts'
import type { RuleChange, RulesText } from '../ports/feeds.ts'
import { readYaml } from './yaml-text.ts'

const writtenRules = z.array(writtenRule).max(filterRulesMax)

export const rulesText: RulesText = {
  write(rules) {
    const written = rules.map(({ name, enabled, rule }) => {
      const { action, conditions, target, per_day_max, per_day_gib_max } = rule
      const told = Object.entries(target).filter(([, value]) => !(value === '' || value === 0 || value === false))
      const place = Object.fromEntries(told.filter(([, value]) => !(Array.isArray(value) && value.length === 0)))
      return {
        name,
        ...(enabled ? {} : { enabled }),
        action,
        conditions,
        ...(Object.keys(place).length === 0 ? {} : { target: place }),
        ...(per_day_max === undefined ? {} : { per_day_max }),
        ...(per_day_gib_max === undefined ? {} : { per_day_gib_max }),
      }
    })
    return written.length === 0 ? '' : stringify(written, { aliasDuplicateObjects: false, lineWidth: 0 })
  },

  read(text) {
    const read = readYaml(text, { schema: 'core', bytesMax: rulesTextBytesMax, faultsMax: rulesTextFaultsMax })
    if (!read.ok) return read
    const { value, lineOf } = read.value
    const checked = writtenRules.safeParse(value ?? [])
    const place = (path: readonly PropertyKey[]) => {
      const steps = path.map(String)
      return { path: steps, line: lineOf(steps) }
    }
    if (!checked.success)
      return failWith(checked.error.issues.slice(0, rulesTextFaultsMax).map((issue) => faultOf(issue, place)))
    const names = checked.data.map(({ name }) => name)
    const twice = names.flatMap((name, at) => (names.indexOf(name) < at ? [at] : []))
    if (twice.length > 0)
      return failWith(
        twice.map((at) => ({ rule: 'value' as const, detail: 'a name for the second time', ...place([at, 'name']) })),
      )
    return succeed(checked.data.map(toChange))
  },
}

function toChange({ name, enabled, target, ...rule }: z.output<typeof writtenRule>): RuleChange {
  const { downloader_id = 0, category = '', tags = [], save_path = '', paused } = target
  const place = { downloader_id, category, tags, save_path, ...(paused === undefined ? {} : { paused }) }
  return { name, enabled, rule: { ...rule, target: place } }
}

function faultOf(
  issue: z.core.$ZodIssue,
  place: (path: readonly PropertyKey[]) => Pick<PlacedFault, 'path' | 'line'>,
): PlacedFault {
  const [unknown] = issue.code === 'unrecognized_keys' ? issue.keys : []
  if (unknown !== undefined) return { rule: 'unknown_field', detail: 'not known', ...place([...issue.path, unknown]) }
  const rule = issue.code === 'too_big' && issue.origin === 'array' ? 'too_many' : 'value'
  return { rule, detail: issue.code, ...place(issue.path) }
}
