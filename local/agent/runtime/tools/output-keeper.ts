/** What is too much for the log is kept on disk: long output, of which the model gets both ends, and images. */
import { mkdir, writeFile } from 'node:fs/promises'
import path from 'node:path'
import { pathToFileURL } from 'node:url'
import { sniffImage } from '../../core/prompt-file.ts'
import type { JsonObject, ToolContent } from '../../core/session/message.ts'
import { toolImageBytesMax, toolOutputBytesMax, toolOutputLinesMax } from '../../limits.ts'
import type { Identifiers } from '../identifiers.ts'
import type { ToolOutput } from '../tool-port.ts'

export class OutputKeeper {
  readonly #folder: string
  readonly #ids: Identifiers

  constructor(folder: string, ids: Identifiers) {
    this.#folder = folder
    this.#ids = ids
  }

  async text(text: string, structured: JsonObject): Promise<{ readonly ok: true; readonly value: ToolOutput }> {
    const lines = text.split('\n')
    if (lines.length <= toolOutputLinesMax && Buffer.byteLength(text) <= toolOutputBytesMax) {
      return { ok: true, value: { structured, content: [{ type: 'text', text }] } }
    }
    const file = await this.#keep(text, 'txt')
    const half = Math.floor(toolOutputBytesMax / 2)
    const head = cutAtLine(
      lines
        .slice(0, toolOutputLinesMax / 2)
        .join('\n')
        .slice(0, half),
      'end',
    )
    const tail = cutAtLine(
      lines
        .slice(-toolOutputLinesMax / 2)
        .join('\n')
        .slice(-half),
      'start',
    )
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
    if (bytes.length > toolImageBytesMax) {
      return {
        type: 'text',
        text: `${name} is an image of more than ${toolImageBytesMax} bytes: make it smaller first`,
      }
    }
    const file = await this.#keep(bytes, mime.slice('image/'.length))
    return { type: 'file', uri: pathToFileURL(file).href, mime, name }
  }

  async #keep(content: string | Uint8Array, ending: string): Promise<string> {
    await mkdir(this.#folder, { recursive: true, mode: 0o700 })
    const file = path.join(this.#folder, `${this.#ids.make('part')}.${ending}`)
    await writeFile(file, content, { mode: 0o600, flag: 'wx' })
    return file
  }
}

function cutAtLine(text: string, side: 'start' | 'end'): string {
  const at = side === 'end' ? text.lastIndexOf('\n') : text.indexOf('\n')
  if (at < 0) return text
  return side === 'end' ? text.slice(0, at) : text.slice(at + 1)
}
