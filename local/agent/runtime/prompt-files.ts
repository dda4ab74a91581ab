/** Files of a prompt, checked before the prompt is admitted: what is stored is an address and a type. */
import { stat } from 'node:fs/promises'
import { fileURLToPath } from 'node:url'
import { failWith, type Result, succeed } from '#shared/kernel/result.ts'
import type { PromptFileInput } from '../contract/message.ts'
import { type Failure, failure } from '../core/failure.ts'
import { mimeOfName, sniffImage } from '../core/prompt-file.ts'
import type { Refusal } from '../core/refusal.ts'
import type { PromptFile } from '../core/session/message.ts'
import { promptFileBytesMax } from '../limits.ts'

export async function checkPromptFiles(files: readonly PromptFileInput[]): Promise<Result<PromptFile[], Failure>> {
  const checked: PromptFile[] = []
  for (const file of files) {
    const one = 'uri' in file ? await checkAddress(file) : checkInline(file)
    if (!one.ok) return one
    checked.push(one.value)
  }
  return succeed(checked)
}

function refuse(why: Refusal): { readonly ok: false; readonly failure: Failure } {
  return failWith(failure('invalid_request', why, { kind: 'field', part: 'Payload', field: 'prompt.files' }))
}

async function checkAddress(file: Extract<PromptFileInput, { uri: string }>): Promise<Result<PromptFile, Failure>> {
  const rest = {
    ...(file.name === undefined ? {} : { name: file.name }),
    ...(file.description === undefined ? {} : { description: file.description }),
    ...(file.source === undefined ? {} : { source: file.source }),
  }
  if (file.uri.startsWith('data:')) {
    const match = /^data:([a-z0-9.+-]+\/[a-z0-9.+-]+)?(?:;[a-z0-9-]+=[^;,]*)*(?:;base64)?,/i.exec(file.uri)
    if (match === null) return refuse({ kind: 'file_address' })
    if (file.uri.length > promptFileBytesMax * 2) return refuse({ kind: 'file_too_large' })
    const mime = file.mime ?? match[1] ?? 'text/plain'
    const body = match[0].toLowerCase().endsWith(';base64,') ? file.uri.slice(match[0].length) : ''
    if (mime.startsWith('image/') && sniffImage(Buffer.from(body, 'base64')) !== mime) {
      return refuse({ kind: 'file_not_image' })
    }
    return succeed({ uri: file.uri, mime, ...rest })
  }
  let full: string
  try {
    full = fileURLToPath(file.uri)
  } catch {
    return refuse({ kind: 'file_scheme' })
  }
  const facts = await stat(full).catch(() => undefined)
  if (facts === undefined || !facts.isFile()) return refuse({ kind: 'file_missing' })
  if (facts.size > promptFileBytesMax) return refuse({ kind: 'file_too_large' })
  return succeed({ uri: file.uri, mime: file.mime ?? mimeOfName(full), ...rest })
}

function checkInline(file: Exclude<PromptFileInput, { uri: string }>): Result<PromptFile, Failure> {
  if (!/^[A-Za-z0-9+/]+={0,2}$/.test(file.data)) return refuse({ kind: 'file_not_base64' })
  const bytes = Buffer.from(file.data, 'base64')
  if (bytes.length > promptFileBytesMax) return refuse({ kind: 'file_too_large' })
  const found = sniffImage(bytes)
  if (found === undefined) return refuse({ kind: 'file_form' })
  const declared = file.mimeType ?? file.mime
  if (declared !== undefined && declared !== found) return refuse({ kind: 'file_type', told: declared, found })
  return succeed({
    uri: `data:${found};base64,${file.data}`,
    mime: found,
    ...(file.filename === undefined ? {} : { name: file.filename }),
  })
}
