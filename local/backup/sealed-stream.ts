/**
 * A stream under a pass phrase: scrypt makes a key of it and of fresh salt, and AES-256-GCM seals piece after piece. The
 * nonce counts the pieces and marks the last one, so that none can be left out, moved, or cut off at the end.
 */
import { createCipheriv, createDecipheriv, randomBytes, scrypt } from 'node:crypto'
import { BrokenBackup } from './backup-fault.ts'
import { pieceBytes, saltBytes, scryptCost, scryptCostMax } from './limits.ts'
import { sealedMark } from './sealed-mark.ts'

const headerBytes = 256
const tagBytes = 16
const blockSize = 8

interface Header {
  readonly cost: number
  readonly salt: string
}

export async function* seal(source: AsyncIterable<Buffer>, passPhrase: string): AsyncGenerator<Buffer> {
  const header: Header = { cost: scryptCost, salt: randomBytes(saltBytes).toString('base64') }
  const head = Buffer.alloc(headerBytes, ' ')
  head.write(`${sealedMark}${JSON.stringify(header)}`)
  const key = await keyOf(passPhrase, header)
  yield head
  let at = 0
  let waiting: Buffer | undefined
  for await (const piece of inPieces(source)) {
    if (waiting !== undefined) {
      yield sealPiece(key, head, at, false, waiting)
      at += 1
    }
    waiting = piece
  }
  yield sealPiece(key, head, at, true, waiting ?? Buffer.alloc(0))
}

/** The stream begins with the mark. */
export async function* unseal(source: AsyncIterable<Buffer>, passPhrase: string): AsyncGenerator<Buffer> {
  let key: Buffer | undefined
  let head: Buffer = Buffer.alloc(0)
  let at = 0
  let rest: Buffer = Buffer.alloc(0)
  const sealedBytes = pieceBytes + tagBytes
  for await (const piece of source) {
    rest = rest.length === 0 ? piece : Buffer.concat([rest, piece])
    if (key === undefined) {
      if (rest.length < headerBytes) continue
      head = Buffer.from(rest.subarray(0, headerBytes))
      rest = rest.subarray(headerBytes)
      key = await keyOf(passPhrase, readHeader(head))
    }
    // One stays back: whether it is the last one is known when the stream ends.
    for (; rest.length > sealedBytes; at += 1) {
      yield openPiece(key, head, at, false, rest.subarray(0, sealedBytes))
      rest = rest.subarray(sealedBytes)
    }
  }
  if (key === undefined) throw new BrokenBackup('cut')
  yield openPiece(key, head, at, true, rest)
}

function readHeader(head: Buffer): Header {
  let value: Partial<Header>
  try {
    value = JSON.parse(head.toString('utf8', sealedMark.length)) as Partial<Header>
  } catch {
    throw new BrokenBackup('heading')
  }
  const { cost, salt } = value
  const isCost = typeof cost === 'number' && Number.isInteger(Math.log2(cost)) && cost >= 2 && cost <= scryptCostMax
  if (!isCost || typeof salt !== 'string') throw new BrokenBackup('heading')
  return { cost, salt }
}

function keyOf(passPhrase: string, { cost, salt }: Header): Promise<Buffer> {
  const options = { N: cost, r: blockSize, p: 1, maxmem: 128 * cost * blockSize + 1024 * 1024 }
  return new Promise((resolve, reject) => {
    scrypt(passPhrase.normalize('NFC'), Buffer.from(salt, 'base64'), 32, options, (error, key) =>
      error === null ? resolve(key) : reject(error),
    )
  })
}

function nonce(at: number, isLast: boolean): Buffer {
  const bytes = Buffer.alloc(12)
  bytes.writeUInt8(isLast ? 1 : 0, 0)
  bytes.writeBigUInt64BE(BigInt(at), 4)
  return bytes
}

function sealPiece(key: Buffer, head: Buffer, at: number, isLast: boolean, piece: Buffer): Buffer {
  const cipher = createCipheriv('aes-256-gcm', key, nonce(at, isLast)).setAAD(head)
  return Buffer.concat([cipher.update(piece), cipher.final(), cipher.getAuthTag()])
}

function openPiece(key: Buffer, head: Buffer, at: number, isLast: boolean, sealed: Buffer): Buffer {
  if (sealed.length < tagBytes) throw new BrokenBackup('cut')
  const decipher = createDecipheriv('aes-256-gcm', key, nonce(at, isLast)).setAAD(head)
  decipher.setAuthTag(sealed.subarray(sealed.length - tagBytes))
  try {
    return Buffer.concat([decipher.update(sealed.subarray(0, sealed.length - tagBytes)), decipher.final()])
  } catch {
    throw new BrokenBackup('pass_phrase')
  }
}

async function* inPieces(source: AsyncIterable<Buffer>): AsyncGenerator<Buffer> {
  let waiting: Buffer[] = []
  let length = 0
  for await (const piece of source) {
    for (let from = 0; from < piece.length; ) {
      const part = piece.subarray(from, from + pieceBytes - length)
      waiting.push(part)
      length += part.length
      from += part.length
      if (length < pieceBytes) continue
      yield Buffer.concat(waiting)
      waiting = []
      length = 0
    }
  }
  if (length > 0) yield Buffer.concat(waiting)
}
