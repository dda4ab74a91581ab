import { createHash, createHmac } from 'node:crypto'

/** The provider SDK's hash, over the platform's. */
export class SmithyHash {
  readonly #hash
  constructor(secret?: Uint8Array | ArrayBuffer | ArrayBufferView | string) {
    this.#hash = secret === undefined ? createHash('sha256') : createHmac('sha256', keyOf(secret))
  }
  update(data: string | Uint8Array) {
    this.#hash.update(data)
  }
  digest() {
    return Promise.resolve(new Uint8Array(this.#hash.digest()))
  }
  reset() {}
}

function keyOf(secret: Uint8Array | ArrayBuffer | ArrayBufferView | string): Uint8Array | string {
  if (typeof secret === 'string') return secret
  if (secret instanceof ArrayBuffer) return new Uint8Array(secret)
  return new Uint8Array(secret.buffer, secret.byteOffset, secret.byteLength)
}
