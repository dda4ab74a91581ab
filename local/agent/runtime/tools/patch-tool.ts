/** apply_patch: several files at once. Every change is worked out and permitted before the first file is touched. */
import { stat } from 'node:fs/promises'
import { z } from '@hono/zod-openapi'
import { type Result, succeed } from '#shared/kernel/result.ts'
import { applyHunks, type FilePatch, parsePatch, sayHunkFault, sayPatchFault } from '../../core/patch-text.ts'
import { inForm, plainForm, readTextFile, type TextFile, type TextForm, writtenAs } from '../../core/text-form.ts'
import type { EditCare } from '../edit-care.ts'
import { sayReach } from '../edit-reach.ts'
import { declareTool, type Tool, type ToolCall, type ToolProblem, textOutput, toolProblem } from '../tool-port.ts'
import { notText, shownOf } from './file-tools.ts'
import {
  describeFileError,
  permitTarget,
  type ReadReceipts,
  readTarget,
  removeTarget,
  resolveTarget,
  type Target,
  writeTarget,
} from './tool-files.ts'

interface Change {
  readonly target: Target
  readonly before: string | undefined
  /** Undefined deletes the file. */
  readonly after: string | undefined
  readonly mode: number | undefined
  readonly form: TextForm
  /** The formatter that had a part in it. */
  readonly by?: string | undefined
}

export function patchTool(receipts: ReadReceipts, care: EditCare): Tool {
  return declareTool({
    name: 'apply_patch',
    description:
      'Changes several files at once. Format: "*** Begin Patch", then "*** Update File: path" with "@@" sections of lines that begin with a blank (kept), - (old) or + (new), "*** Move to: path" below it for another name, "*** Add File: path" with + lines, or "*** Delete File: path", then "*** End Patch". Files that exist must have been read before.',
    input: z.object({ patchText: z.string().min(1).max(1_000_000) }),
    isReadOnly: false,
    async run(input, call) {
      const parsed = parsePatch(input.patchText)
      if (!parsed.ok) return toolProblem(sayPatchFault(parsed.failure))
      const changes: Change[] = []
      for (const file of parsed.value) {
        const change = await workOut(receipts, call, file)
        if (!change.ok) return change
        for (const one of change.value) changes.push(await inFormOf(care, call, one))
      }
      const twice = changes.find(
        ({ target }, at) => changes.findIndex((other) => other.target.full === target.full) !== at,
      )
      if (twice !== undefined) return toolProblem(`${twice.target.shown} is in the patch twice`)
      const reach = await care.reach(call, changes)
      for (const { target, before, after } of changes) {
        const shown = await shownOf(target.shown, before ?? '', after ?? '', reach)
        const permitted = await permitTarget(call, 'edit', target, shown)
        if (!permitted.ok) return permitted
      }
      // The owner may have taken time to answer: all files must still be what the patch was made for.
      for (const { target, before } of changes) {
        const problem = await changedMeanwhile(receipts, call, target, before !== undefined)
        if (problem !== undefined) return toolProblem(problem)
      }
      call.signal.throwIfAborted()
      for (const { target, after, mode, form } of changes) {
        try {
          if (after === undefined) await removeTarget(target)
          else {
            await writeTarget(target, writtenAs(after, form), mode)
            receipts.note(call.sessionId, target.full, await stat(target.full))
          }
        } catch (error) {
          return toolProblem(`${describeFileError(error, target.shown)}; files before it in the patch were changed`)
        }
      }
      const lines = changes.map(({ target, before, after }) =>
        after === undefined
          ? `Deleted ${target.shown}`
          : before === undefined
            ? `Created ${target.shown}`
            : `Changed ${target.shown}`,
      )
      const found = await care.diagnose(
        call,
        changes.flatMap(({ target, after }) => (after === undefined ? [] : [{ target, text: after }])),
      )
      const by = changes.flatMap((change) => (change.by === undefined ? [] : [change.target.shown]))
      const note = by.length === 0 ? '' : `\n(formatted, so read before you change again: ${by.join(', ')})`
      return textOutput(`${lines.join('\n')}${note}${found.text}${sayReach(reach)}`, {
        files: changes.map(({ target }) => target.shown),
        ...found.structured,
      })
    },
  })
}

async function inFormOf(care: EditCare, call: ToolCall, change: Change): Promise<Change> {
  if (change.after === undefined) return change
  const { text, by } = await care.format(call, change.target, change.before, change.after)
  return { ...change, after: inForm(text, change.form), by }
}

/** A file that gets another name is one that goes and one that comes. */
async function workOut(
  receipts: ReadReceipts,
  call: ToolCall,
  file: FilePatch,
): Promise<Result<readonly Change[], ToolProblem>> {
  const target = await resolveTarget(call.directory, file.path)
  if (file.kind === 'add') return workOutNew(target, { text: file.text, form: plainForm }, undefined)
  const read = await readTarget(target)
  if (!read.ok) return read
  const refused = receipts.refuse(call.sessionId, target, read.value.facts)
  if (refused !== undefined) return toolProblem(refused)
  const mode = read.value.facts.mode & 0o777
  const known = readTextFile(read.value.bytes)
  if (file.kind === 'delete') {
    const before = known?.text ?? read.value.bytes.toString('utf8')
    return succeed([{ target, before, after: undefined, mode, form: plainForm }])
  }
  if (known === undefined) return toolProblem(notText(target))
  const { text: before, form } = known
  const after = applyHunks(before, file.hunks)
  if (!after.ok) return toolProblem(`${target.shown}: ${sayHunkFault(after.failure)}`)
  if (file.moveTo === undefined) return succeed([{ target, before, after: after.value, mode, form }])
  const moved = await workOutNew(await resolveTarget(call.directory, file.moveTo), { text: after.value, form }, mode)
  return moved.ok ? succeed([...moved.value, { target, before, after: undefined, mode, form }]) : moved
}

async function workOutNew(
  target: Target,
  { text, form }: TextFile,
  mode: number | undefined,
): Promise<Result<readonly Change[], ToolProblem>> {
  const exists = await stat(target.full).then(
    () => true,
    () => false,
  )
  if (exists) return toolProblem(`${target.shown} exists already`)
  return succeed([{ target, before: undefined, after: text, mode, form }])
}

async function changedMeanwhile(
  receipts: ReadReceipts,
  call: ToolCall,
  target: Target,
  existed: boolean,
): Promise<string | undefined> {
  const again = await resolveTarget(call.directory, target.full)
  if (again.full !== target.full) return `${target.shown} became a link meanwhile`
  const facts = await stat(target.full).catch(() => undefined)
  if ((facts !== undefined) !== existed) return `${target.shown} changed meanwhile`
  return facts === undefined ? undefined : receipts.refuse(call.sessionId, target, facts)
}
