import type { Result } from '#shared/kernel/result.ts'

interface StaticFile {
  readonly bytes: Uint8Array<ArrayBuffer>
  readonly contentType: string
  readonly isImmutable: boolean
}

/** The files of a page as Vite built them. */
export interface Pages {
  /** `not-built` where the page itself is missing, `absent` where only this file is. */
  read(path: string): Result<StaticFile, 'absent' | 'not-built'>
}

/** A file that is there, as it is sent. What carries a digest in its name never changes. */
export function fileResponse({ bytes, contentType, isImmutable }: StaticFile): Response {
  return new Response(bytes, {
    headers: {
      'Content-Type': contentType,
      'Content-Length': String(bytes.length),
      'Cache-Control': isImmutable ? 'public, max-age=31536000, immutable' : 'no-store',
    },
  })
}

/** Of whoever asks for a page where it was not built. */
export function textResponse(status: number, text: string): Response {
  return new Response(text, {
    status,
    headers: { 'Content-Type': 'text/plain; charset=utf-8', 'Cache-Control': 'no-store' },
  })
}

/** What a page of ours may load and ask: its own files and its own server. */
export const pagePolicy =
  "default-src 'none'; script-src 'self'; style-src 'self'; img-src 'self' data:; font-src 'self'; connect-src 'self'; base-uri 'none'; form-action 'none'; frame-ancestors 'none'"
