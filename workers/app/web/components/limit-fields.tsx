/** The bounds of a torrent's speed, in KiB a second as they are typed. */

import { TextField } from '#shared/pages/field.tsx'
import { words } from '../locales/words.ts'

const kib = 1024

export interface TypedLimits {
  readonly upload: string
  readonly download: string
}

interface LimitsForm {
  readonly values: TypedLimits
  typed(name: keyof TypedLimits): { readonly value: string; readonly onText: (text: string) => void }
  wrong(isWrong: boolean, words: string): string | undefined
}

export function areLimits({ upload, download }: TypedLimits): boolean {
  return isLimit(upload) && isLimit(download)
}

/** Bytes a second; 0 for none. */
export function limitsOf({ upload, download }: TypedLimits) {
  return { upload_limit: Number(upload.trim()) * kib, download_limit: Number(download.trim()) * kib }
}

export function typedLimit(bytes: number | undefined): string {
  return bytes === undefined || bytes === 0 ? '' : String(Math.ceil(bytes / kib))
}

function isLimit(value: string): boolean {
  return /^\d{0,9}$/.test(value.trim())
}

export function LimitFields({ form }: { form: LimitsForm }) {
  const text = words.value.torrent
  return (
    <div class="two-f">
      {(['upload', 'download'] as const).map((name) => (
        <TextField
          key={name}
          label={name === 'upload' ? text.uploadLimit : text.downloadLimit}
          {...form.typed(name)}
          maxLength={9}
          number
          hint={text.limitHint}
          error={form.wrong(!isLimit(form.values[name]), text.limitWrong)}
        />
      ))}
    </div>
  )
}
