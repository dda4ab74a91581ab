import { readFileSync } from 'node:fs'
import path from 'node:path'
import { z } from 'zod'

/** The owner's settings for a project, in `indexer.json` at its root. */
const schema = z.object({
  exclude: z.array(z.string()).optional(),
  watch: z.object({ enabled: z.boolean().optional() }).optional(),
})
export interface ProjectConfig {
  readonly exclude: readonly string[]
  readonly isWatchEnabled: boolean
  /** Set when the file exists but cannot be used; its settings are then ignored. */
  readonly warning?: string
}

const configFile = 'indexer.json'

export function readProjectConfig(root: string): ProjectConfig {
  const none: ProjectConfig = { exclude: [], isWatchEnabled: true }
  let text: string
  try {
    text = readFileSync(path.join(root, configFile), 'utf8')
  } catch {
    return none
  }
  try {
    const parsed = schema.safeParse(JSON.parse(text))
    if (!parsed.success)
      return { ...none, warning: `${configFile} is ignored: ${parsed.error.issues[0]?.message ?? 'wrong shape'}` }
    return { exclude: parsed.data.exclude ?? [], isWatchEnabled: parsed.data.watch?.enabled ?? true }
  } catch {
    return { ...none, warning: `${configFile} is ignored: it is not JSON` }
  }
}
