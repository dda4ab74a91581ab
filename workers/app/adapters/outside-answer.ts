/** What every adapter that talks to somebody else's server has to get right, whatever it asks for. */
import { joinBytes } from '#shared/kernel/join-bytes.ts'

/**
 * Left alone the Worker's runtime hands a body over 4 KiB at a time, and each piece costs a turn of everything else. Where
 * the answer's length can be guessed, a piece of that length holds all of it.
 */
const answerPieceBytes = 64 * 1024

interface PieceReader {
  read(): Promise<{ readonly done: boolean; readonly value?: Uint8Array<ArrayBuffer> | undefined }>
  cancel(): Promise<void>
}

/** Of the Worker's runtime: fills the buffer before it hands it over. */
interface FillingReader {
  readAtLeast(bytes: number, view: Uint8Array): ReturnType<PieceReader['read']>
  cancel(): Promise<void>
}

const canFill = 'readAtLeast' in ReadableStreamBYOBReader.prototype

function readPieces(body: ReadableStream, pieceBytes: number): PieceReader {
  if (!canFill) return body.getReader()
  const reader = body.getReader({ mode: 'byob' }) as unknown as FillingReader
  return {
    read: () => reader.readAtLeast(pieceBytes, new Uint8Array(pieceBytes)),
    cancel: () => reader.cancel(),
  }
}

/**
 * Hands the body over piece by piece. False when it is longer than allowed; then reading has stopped. Rejects when the
 * signal fires: a cancelled reader ends as if the answer were complete, and a cut answer is never taken for a whole one.
 */
export async function readBounded(
  response: Response,
  bytesMax: number,
  signal: AbortSignal,
  take: (piece: Uint8Array<ArrayBuffer>) => void,
  pieceBytes = answerPieceBytes,
): Promise<boolean> {
  if (response.body === null) return true
  const reader = readPieces(response.body, pieceBytes)
  const abort = () => void reader.cancel().catch(() => undefined)
  signal.addEventListener('abort', abort)
  let bytes = 0
  try {
    for (let isOver = false; !isOver; ) {
      const { done, value } = await reader.read()
      isOver = done
      if (value === undefined || value.byteLength === 0) continue
      bytes += value.byteLength
      if (bytes > bytesMax) {
        await reader.cancel()
        return false
      }
      take(value)
    }
  } finally {
    signal.removeEventListener('abort', abort)
  }
  signal.throwIfAborted()
  return true
}

/** Undefined when the answer is longer than allowed. One about as long as expected comes in one piece. */
export async function readBytes(
  response: Response,
  bytesMax: number,
  signal: AbortSignal,
  bytesExpected = 0,
): Promise<Uint8Array<ArrayBuffer> | undefined> {
  const pieces: Uint8Array<ArrayBuffer>[] = []
  const pieceBytes = answerPieceBytes * Math.ceil((bytesExpected + 1) / answerPieceBytes)
  if (!(await readBounded(response, bytesMax, signal, (piece) => void pieces.push(piece), pieceBytes))) return undefined
  if (pieces[0] !== undefined && pieces.length === 1) return pieces[0]
  return joinBytes(pieces)
}

export const redirectStatuses: ReadonlySet<number> = new Set([301, 302, 303, 307, 308])

const certificatePattern = /certificate|\bcert_|\bTLS\b|\bSSL\b|self.signed|ERR_TLS|ERR_SSL|UNABLE_TO_VERIFY/i

/**
 * Tells a bad certificate from a closed port. The local runtime says `internal error` both for a certificate it does not
 * trust and for a name it cannot resolve, and `Network connection lost` for a closed port: on a secure address the first
 * is taken for a matter of the certificate, whose text names the other cause too.
 */
export function isCertificateTrouble(error: unknown, address: string): boolean {
  const text = textOf(error)
  return (
    certificatePattern.test(text) || (address.toLowerCase().startsWith('https:') && text.includes('internal error'))
  )
}

/** The runtime's own words, with those of the causes. Never shown. */
function textOf(error: unknown): string {
  if (!(error instanceof Error)) return ''
  const code = 'code' in error && typeof error.code === 'string' ? error.code : ''
  return `${error.name} ${code} ${error.message} ${textOf(error.cause)}`
}
