/** `npm run check`: every ready-made site definition is right, or the fault is named with its file and line. */
import { readFileSync } from 'node:fs'
import path from 'node:path'
import type { z } from '@hono/zod-openapi'
import { LineCounter, parseDocument } from 'yaml'
import { siteAnnounces } from '../workers/app/contract/site-announces.ts'
import { siteDefinitions } from '../workers/app/contract/site-definition.ts'
import { siteRules } from '../workers/app/contract/site-rules.ts'

/** YAML's reader takes JSON too, and remembers where everything stood. */
export function definitionFaults(file: string, text: string, schema: z.ZodType = siteDefinitions): string[] {
  const lines = new LineCounter()
  const document = parseDocument(text, { lineCounter: lines, uniqueKeys: true })
  if (document.errors.length > 0)
    return document.errors.map(({ pos, message }) => `${file}:${lines.linePos(pos[0]).line}: ${message.split('\n')[0]}`)
  const parsed = schema.safeParse(document.toJS())
  if (parsed.success) return []
  return parsed.error.issues.map(({ path: place, message }) => {
    const at = lineOf(place)
    const where = place.length === 0 ? '' : `${place.map(String).join('.')}: `
    return `${file}:${at}: ${where}${message}`
  })

  /** Of the innermost part that is there: a missing field is a fault of what should have it. */
  function lineOf(place: readonly PropertyKey[]): number {
    for (let depth = place.length; depth > 0; depth -= 1) {
      const node: unknown = document.getIn(place.slice(0, depth), true)
      if (typeof node === 'object' && node !== null && 'range' in node && Array.isArray(node.range))
        return lines.linePos(Number(node.range[0])).line
    }
    return 1
  }
}

if (import.meta.main) {
  const files = {
    'sites.json': siteDefinitions,
    'named-sites.json': siteDefinitions,
    'site-rules.json': siteRules,
    'announces.json': siteAnnounces,
  }
  const faults = Object.entries(files).flatMap(([name, schema]) => {
    const file = `workers/app/definitions/${name}`
    return definitionFaults(file, readFileSync(path.join(import.meta.dirname, '..', file), 'utf8'), schema)
  })
  for (const fault of faults) console.error(fault)
  process.exit(faults.length === 0 ? 0 : 1)
}
