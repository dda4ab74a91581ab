import path from 'node:path'
import { readSmallFile } from '../../git/find-repository.ts'
import { fileBytesMax } from '../limits.ts'

/** The owner's settings for a project, in `indexer.json` at its root. */
export interface ProjectConfig {
  readonly exclude: readonly string[]
  readonly isWatchEnabled: boolean
  /** Set when the file exists but cannot be used; its settings are then ignored. */
  readonly warning?: string
}

const configFile = 'indexer.json'

export function readProjectConfig(root: string): ProjectConfig {
  const none: ProjectConfig = { exclude: [], isWatchEnabled: true }
  const text = readSmallFile(path.join(root, configFile), fileBytesMax)
  if (text === undefined) return none
  try {
    return readSettings(JSON.parse(text)) ?? { ...none, warning: `${configFile} is ignored: wrong shape` }
  } catch {
    return { ...none, warning: `${configFile} is ignored: it is not JSON` }
  }
}

/** Two settings, read by hand: a validator would take longer to load than the viewer has for its first answer. */
function readSettings(value: unknown): ProjectConfig | undefined {
  if (!isRecord(value)) return undefined
  const { exclude = [], watch = {} } = value
  if (!Array.isArray(exclude) || !exclude.every((one) => typeof one === 'string') || !isRecord(watch)) return undefined
  const { enabled = true } = watch
  return typeof enabled === 'boolean' ? { exclude, isWatchEnabled: enabled } : undefined
}

function isRecord(value: unknown): value is Readonly<Record<string, unknown>> {
  return typeof value === 'object' && value !== null && !Array.isArray(value)
}
