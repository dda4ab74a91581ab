/** Long output is kept whole on disk; the model gets its beginning and end, and the path. */
import { mkdir, writeFile } from 'node:fs/promises'
import path from 'node:path'
import type { JsonObject } from '../../core/session/message.ts'
import { toolOutputBytesMax, toolOutputLinesMax } from '../../limits.ts'
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
    await mkdir(this.#folder, { recursive: true, mode: 0o700 })
    const file = path.join(this.#folder, `${this.#ids.make('part')}.txt`)
    await writeFile(file, text, { mode: 0o600, flag: 'wx' })
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
}

function cutAtLine(text: string, side: 'start' | 'end'): string {
  const at = side === 'end' ? text.lastIndexOf('\n') : text.indexOf('\n')
  if (at < 0) return text
  return side === 'end' ? text.slice(0, at) : text.slice(at + 1)
}
