/** Names and numbers of objects, as workerd makes them: the same name leads either runtime to the same file. */
import { createHash, createHmac, randomBytes } from 'node:crypto'
import { objectNamesMax } from './limits.ts'

const halfBytes = 16

export class ObjectId {
  readonly name: string | undefined
  readonly #text: string

  constructor(text: string, name?: string) {
    this.#text = text
    this.name = name
  }

  toString(): string {
    return this.#text
  }

  equals(other: ObjectId): boolean {
    return other.toString() === this.#text
  }
}

export class ObjectIds {
  readonly #key: Buffer
  /** A name is asked for with every call, and its id costs two digests. */
  readonly #named = new Map<string, ObjectId>()

  /** The key names the script and the class. */
  constructor(uniqueKey: string) {
    this.#key = createHash('sha256').update(uniqueKey).digest()
  }

  fromName(name: string): ObjectId {
    const known = this.#named.get(name)
    if (known !== undefined) return known
    const id = new ObjectId(this.#signed(this.#mac(name)), name)
    if (this.#named.size >= objectNamesMax) this.#named.clear()
    this.#named.set(name, id)
    return id
  }

  unique(): ObjectId {
    return new ObjectId(this.#signed(randomBytes(halfBytes)))
  }

  fromString(text: string): ObjectId {
    const bytes = /^[0-9a-f]{64}$/.test(text) ? Buffer.from(text, 'hex') : undefined
    if (bytes === undefined || this.#signed(bytes) !== text)
      throw new TypeError('Invalid Durable Object ID: it is of no object of this class')
    return new ObjectId(text)
  }

  #mac(text: string | Buffer): Buffer {
    return createHmac('sha256', this.#key).update(text).digest().subarray(0, halfBytes)
  }

  /** The second half proves that the first is of this class. */
  #signed(bytes: Buffer): string {
    const base = bytes.subarray(0, halfBytes)
    return Buffer.concat([base, this.#mac(base)]).toString('hex')
  }
}
