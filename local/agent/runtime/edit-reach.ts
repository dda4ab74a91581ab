/** Who relies on what an edit changes, and which tests reach it, as the project's index has it from before the edit. */
import {
  editReachFilesMax,
  editReachFreshMsMax,
  editReachMsMax,
  editReachTokens,
  editReachWordsMax,
} from '../limits.ts'
import type { CodeSenses } from './code-senses.ts'
import type { ToolCall } from './tool-port.ts'
import type { Target } from './tools/tool-files.ts'

export interface FileChange {
  readonly target: Target
  /** Nobody relies yet on a file that is new. */
  readonly before: string | undefined
  /** Undefined: it goes. */
  readonly after: string | undefined
}

/** By file; none where there is no index, where it is older than the file, and to an agent that may not search. */
export type Reach = ReadonlyMap<string, string>

export async function reachOf(
  senses: Pick<CodeSenses, 'hasIndex' | 'ask'> | undefined,
  call: ToolCall,
  changes: readonly FileChange[],
): Promise<Reach> {
  const found = new Map<string, string>()
  if (senses?.hasIndex(call.directory) !== true || !call.isAllowed('grep', '.')) return found
  const mayShow = (path: string): boolean => call.isAllowed('read', path)
  const signal = AbortSignal.any([call.signal, AbortSignal.timeout(editReachMsMax)])
  const known = changes.filter(({ target, before }) => !target.isOutside && before !== undefined)
  for (const { target, before = '', after = '' } of known.slice(0, editReachFilesMax)) {
    const lines = await changedPlaces(before, after)
    if (lines === '') continue
    const given = { file: target.shown, lines, budget: editReachTokens }
    try {
      const { text, isError } = await senses.ask(call.directory, 'relies', given, mayShow, signal, editReachFreshMsMax)
      if (!isError) found.set(target.shown, text)
    } catch {
      // It took too long, or its reader ended: an edit does not wait for it, and needs none of it.
      call.signal.throwIfAborted()
      break
    }
  }
  return found
}

/** To the model, with what became of its edit. */
export function sayReach(reach: Reach): string {
  return reach.size === 0 ? '' : `\nOf what it was before, the code index says:\n${[...reach.values()].join('\n\n')}`
}

/** Lines of the older text that are taken away or replaced, and those behind which something is put in. */
async function changedPlaces(before: string, after: string): Promise<string> {
  const { structuredPatch } = await import('diff')
  const { hunks } = structuredPatch('', '', before, after, undefined, undefined, { context: 0 })
  const places = hunks.map(({ oldStart, oldLines }) =>
    // The line that such a hunk names is the one it comes before.
    oldLines === 0 ? `${oldStart - 1}+` : `${oldStart}-${oldStart + oldLines - 1}`,
  )
  let text = ''
  for (const place of places) {
    const longer = text === '' ? place : `${text},${place}`
    if (longer.length > editReachWordsMax) break
    text = longer
  }
  return text
}
