/** read, write, edit and list. */
import { lstat, readdir, stat } from 'node:fs/promises'
import { z } from '@hono/zod-openapi'
import { sniffImage } from '../../core/prompt-file.ts'
import { inForm, plainForm, readTextFile, type TextForm, writtenAs } from '../../core/text-form.ts'
import { listEntriesMax, readLineCharactersMax, readLinesDefault } from '../../limits.ts'
import type { EditCare } from '../edit-care.ts'
import { type Reach, sayReach } from '../edit-reach.ts'
import { declareTool, type Tool, textOutput, toolProblem } from '../tool-port.ts'
import type { OutputKeeper } from './output-keeper.ts'
import { withinFolder } from './pinned-path.ts'
import {
  describeFileError,
  permitTarget,
  type ReadReceipts,
  readTarget,
  resolveTarget,
  type Target,
  writeTarget,
} from './tool-files.ts'

export function fileTools(receipts: ReadReceipts, keeper: OutputKeeper, care: EditCare): Tool[] {
  return [readTool(receipts, keeper), writeTool(receipts, care), editTool(receipts, care), listTool()]
}

function readTool(receipts: ReadReceipts, keeper: OutputKeeper): Tool {
  return declareTool({
    name: 'read',
    description:
      'Reads a text file, with line numbers, from a line on, or shows an image (PNG, JPEG, GIF, WebP). Also lists a directory.',
    input: z.object({
      path: z.string().min(1).describe('Relative to the project, or absolute'),
      offset: z.number().int().min(1).optional().describe('First line, from 1'),
      limit: z.number().int().min(1).max(readLinesDefault).optional().describe('Number of lines'),
    }),
    isReadOnly: true,
    async run(input, call) {
      const target = await resolveTarget(call.directory, input.path)
      const permitted = await permitTarget(call, 'read', target)
      if (!permitted.ok) return permitted
      const isDirectory = await stat(target.full).then(
        (facts) => facts.isDirectory(),
        () => false,
      )
      if (isDirectory) return listing(target)
      const read = await readTarget(target)
      if (!read.ok) return read
      const { bytes, facts } = read.value
      receipts.note(call.sessionId, target.full, facts)
      if (sniffImage(bytes) !== undefined) {
        const image = await keeper.image(bytes, target.shown)
        if (image.type === 'text') return toolProblem(image.text)
        const text = `${target.shown} is an image (${image.mime}, ${bytes.length} bytes)`
        const structured = { uri: target.shown, mime: image.mime }
        return { ok: true, value: { structured, content: [{ type: 'text', text }, image] } }
      }
      if (bytes.subarray(0, 8192).includes(0)) return toolProblem(`${target.shown} is a binary file`)
      const known = readTextFile(bytes)
      const lines = linesOf(known?.text ?? bytes.toString('utf8'))
      const from = (input.offset ?? 1) - 1
      if (from >= lines.length) return toolProblem(`${target.shown} has ${lines.length} lines`)
      const shown = lines.slice(from, from + (input.limit ?? readLinesDefault))
      const numbered = shown.map((line, index) => `${from + index + 1}\t${cutLine(line)}`).join('\n')
      const rest = lines.length - from - shown.length
      const note = rest > 0 ? `\n(${rest} more lines; go on with offset ${from + shown.length + 1})` : ''
      const structured = { uri: target.shown, lines: lines.length, encoding: known === undefined ? 'unknown' : 'utf8' }
      const warning = known === undefined ? `\n(${notText(target)})` : ''
      return keeper.text(`${numbered}${note}${warning}`, structured, call.outputLimits)
    },
  })
}

export function notText({ shown }: Target): string {
  return `${shown} is not text in UTF-8: it cannot be changed in part without spoiling the rest of it`
}

function cutLine(line: string): string {
  return line.length <= readLineCharactersMax ? line : `${line.slice(0, readLineCharactersMax)}… (cut)`
}

function writeTool(receipts: ReadReceipts, care: EditCare): Tool {
  return declareTool({
    name: 'write',
    description: 'Writes a whole file. A file that exists must have been read before.',
    input: z.object({ path: z.string().min(1), content: z.string() }),
    isReadOnly: false,
    async run(input, call) {
      const target = await resolveTarget(call.directory, input.path)
      const facts = await stat(target.full).catch(() => undefined)
      const existed = facts !== undefined
      let before = ''
      let form = plainForm
      if (existed) {
        if (!facts.isFile()) return toolProblem(`${target.shown} is not a regular file`)
        const refused = receipts.refuse(call.sessionId, target, facts)
        if (refused !== undefined) return toolProblem(refused)
        const read = await readTarget(target)
        if (!read.ok) return read
        const known = readTextFile(read.value.bytes)
        before = known?.text ?? read.value.bytes.toString('utf8')
        form = known?.form ?? plainForm
      }
      const wanted = inForm(input.content, form)
      const { text, by } = await care.format(call, target, existed ? before : undefined, wanted)
      const after = inForm(text, form)
      const reach = await care.reach(call, [{ target, before: existed ? before : undefined, after }])
      const permitted = await permitTarget(call, 'edit', target, await shownOf(target.shown, before, after, reach))
      if (!permitted.ok) return permitted
      return replaceFile({ receipts, care }, call, target, { before, after, form, by, reach }, facts?.mode)
    },
  })
}

function editTool(receipts: ReadReceipts, care: EditCare): Tool {
  return declareTool({
    name: 'edit',
    description: 'Replaces one exact text in a file that has been read. With replaceAll, every occurrence.',
    input: z.object({
      path: z.string().min(1),
      oldString: z.string().min(1),
      newString: z.string(),
      replaceAll: z.boolean().optional(),
    }),
    isReadOnly: false,
    async run(input, call) {
      const target = await resolveTarget(call.directory, input.path)
      const read = await readTarget(target)
      if (!read.ok) return read
      const refused = receipts.refuse(call.sessionId, target, read.value.facts)
      if (refused !== undefined) return toolProblem(refused)
      const known = readTextFile(read.value.bytes)
      if (known === undefined) return toolProblem(notText(target))
      const { text: before, form } = known
      const [wanted, replacement] = [inForm(input.oldString, form), inForm(input.newString, form)]
      if (wanted === replacement) return toolProblem('oldString and newString are the same')
      const pieces = before.split(wanted)
      if (pieces.length === 1) return toolProblem(`oldString is not in ${target.shown}; it must match exactly`)
      if (pieces.length > 2 && input.replaceAll !== true) {
        return toolProblem(
          `oldString is in ${target.shown} ${pieces.length - 1} times; add lines around it, or set replaceAll`,
        )
      }
      const { text, by } = await care.format(call, target, before, pieces.join(replacement))
      const after = inForm(text, form)
      const reach = await care.reach(call, [{ target, before, after }])
      const permitted = await permitTarget(call, 'edit', target, await shownOf(target.shown, before, after, reach))
      if (!permitted.ok) return permitted
      return replaceFile({ receipts, care }, call, target, { before, after, form, by, reach }, read.value.facts.mode)
    },
  })
}

function listTool(): Tool {
  return declareTool({
    name: 'list',
    description: 'Lists a directory: folders first, each ending in a slash.',
    input: z.object({ path: z.string().min(1).optional() }),
    isReadOnly: true,
    async run(input, call) {
      const target = await resolveTarget(call.directory, input.path ?? '.')
      const permitted = await permitTarget(call, 'list', target)
      if (!permitted.ok) return permitted
      return listing(target)
    },
  })
}

async function listing(target: Target) {
  try {
    return textOutput((await entriesOf(target.full)).join('\n'), { uri: target.shown })
  } catch (error) {
    return toolProblem(describeFileError(error, target.shown))
  }
}

async function entriesOf(folder: string): Promise<string[]> {
  const entries = await withinFolder(folder, (at) => readdir(at, { withFileTypes: true }))
  const folders = entries.filter((entry) => entry.isDirectory()).map((entry) => `${entry.name}/`)
  const files = entries.filter((entry) => !entry.isDirectory()).map((entry) => entry.name)
  const names = [...folders.sort(), ...files.sort()]
  const rest = names.length - listEntriesMax
  return rest > 0 ? [...names.slice(0, listEntriesMax), `(${rest} more)`] : names
}

/** What the owner is shown before a change is permitted. */
export async function shownOf(name: string, before: string, after: string, reach: Reach) {
  const relying = reach.get(name)
  return { diff: await patchOf(name, before, after), ...(relying === undefined ? {} : { reach: relying }) }
}

async function patchOf(name: string, before: string, after: string): Promise<string> {
  const { createTwoFilesPatch } = await import('diff')
  return createTwoFilesPatch(name, name, before, after, undefined, undefined, { context: 3 })
}

interface NewText {
  readonly before: string
  readonly after: string
  readonly form: TextForm
  /** The formatter that had a part in it. */
  readonly by: string | undefined
  /** What relied on what it was. */
  readonly reach: Reach
}

/** The owner may have taken time to answer: the file must still be what the change was made for. */
async function replaceFile(
  { receipts, care }: { readonly receipts: ReadReceipts; readonly care: EditCare },
  call: Parameters<Tool['run']>[1],
  target: Target,
  { before, after, form, by, reach }: NewText,
  mode: number | undefined,
) {
  const again = await resolveTarget(call.directory, target.full)
  if (again.full !== target.full) return toolProblem(`${target.shown} became a link meanwhile`)
  const now = await stat(target.full).catch(() => undefined)
  if ((now === undefined) !== (mode === undefined))
    return toolProblem(`${target.shown} changed meanwhile: read it again`)
  if (now !== undefined) {
    const refused = receipts.refuse(call.sessionId, target, now)
    if (refused !== undefined) return toolProblem(refused)
  }
  call.signal.throwIfAborted()
  try {
    await writeTarget(target, writtenAs(after, form), mode === undefined ? undefined : mode & 0o777)
  } catch (error) {
    return toolProblem(describeFileError(error, target.shown))
  }
  receipts.note(call.sessionId, target.full, await lstat(target.full))
  const existed = mode !== undefined
  const found = await care.diagnose(call, [{ target, text: after }])
  const note = by === undefined ? '' : ` (formatted by ${by}: read it before you change it again)`
  return textOutput(`${existed ? 'Changed' : 'Created'} ${target.shown}${note}${found.text}${sayReach(reach)}`, {
    operation: 'write',
    target: target.shown,
    resource: target.shown,
    existed,
    diff: await patchOf(target.shown, before, after),
    ...found.structured,
  })
}

/** A line break ends a line and does not begin another one. */
function linesOf(text: string): string[] {
  return (text.endsWith('\n') ? text.slice(0, -1) : text).split('\n')
}
