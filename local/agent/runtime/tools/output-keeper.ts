/** What is too much for the log is kept on disk: long output, of which the model gets both ends, and images. */
import { mkdir, writeFile } from 'node:fs/promises'
import path from 'node:path'
import { pathToFileURL } from 'node:url'
import { sniffImage } from '../../core/prompt-file.ts'
import type { JsonObject, ToolContent } from '../../core/session/message.ts'
import { imageBytesMax } from '../../limits.ts'
import type { Identifiers } from '../identifiers.ts'
import type { OutputLimits, ToolOutput } from '../tool-port.ts'

export class OutputKeeper {
  readonly #folder: string
  readonly #ids: Identifiers

  constructor(folder: string, ids: Identifiers) {
    this.#folder = folder
    this.#ids = ids
  }

  async text(
    text: string,
    structured: JsonObject,
    { linesMax, bytesMax }: OutputLimits,
    /** Where the whole of it is already. */
    log?: string,
  ): Promise<{ readonly ok: true; readonly value: ToolOutput }> {
    const lines = text.split('\n')
    if (lines.length <= linesMax && Buffer.byteLength(text) <= bytesMax) {
      const outputPaths = log === undefined ? {} : { outputPaths: [log] }
      return { ok: true, value: { structured, content: [{ type: 'text', text }], ...outputPaths } }
    }
    const file = log ?? (await this.#keep(text, 'txt'))
    const head = startOf(lines.slice(0, Math.floor(linesMax / 2)).join('\n'), Math.floor(bytesMax / 2))
    const tail = endOf(lines.slice(-Math.floor(linesMax / 2)).join('\n'), Math.floor(bytesMax / 2))
    const preview = `${head}\n… (cut; the whole output is in ${file})\n${tail}`
    return {
      ok: true,
      value: {
        structured: { ...structured, truncated: true },
        content: [{ type: 'text', text: preview }],
        outputPaths: [file],
      },
    }
  }

  /** An image as the model saw it: a copy, because the file it came from may change. Its first bytes say what it is. */
  async image(bytes: Uint8Array, name: string): Promise<ToolContent> {
    const mime = sniffImage(bytes)
    if (mime === undefined) return { type: 'text', text: `${name} is not a PNG, JPEG, GIF or WebP image` }
    if (bytes.length > imageBytesMax) {
      return {
        type: 'text',
        text: `${name} is an image of more than ${imageBytesMax} bytes: make it smaller first`,
      }
    }
    const file = await this.#keep(bytes, mime.slice('image/'.length))
    return { type: 'file', uri: pathToFileURL(file).href, mime, name }
  }

  /** The name of a file that is not there yet. */
  nextFile(ending: string): string {
    return path.join(this.#folder, `${this.#ids.make('part')}.${ending}`)
  }

  async #keep(content: string | Uint8Array, ending: string): Promise<string> {
    await mkdir(this.#folder, { recursive: true, mode: 0o700 })
    const file = this.nextFile(ending)
    await writeFile(file, content, { mode: 0o600, flag: 'wx' })
    return file
  }
}

/** The first lines that fit, or what fits of the first one. */
function startOf(text: string, bytesMax: number): string {
  const bytes = Buffer.from(text)
  if (bytes.length <= bytesMax) return text
  // A character that is cut through is left out.
  const whole = new TextDecoder().decode(bytes.subarray(0, bytesMax), { stream: true })
  const lineEnd = whole.lastIndexOf('\n')
  return lineEnd < 0 ? whole : whole.slice(0, lineEnd)
}

/** The last lines that fit, or what fits of the last one. */
function endOf(text: string, bytesMax: number): string {
  const bytes = Buffer.from(text)
  if (bytes.length <= bytesMax) return text
  let start = bytes.length - bytesMax
  while (((bytes[start] ?? 0) & 0b1100_0000) === 0b1000_0000) start += 1
  const whole = bytes.toString('utf8', start)
  return whole.slice(whole.indexOf('\n') + 1)
}
