type Expected = 'status' | 'header' | 'counted' | 'chunk-size' | 'chunk' | 'chunk-end' | 'trailer' | 'rest' | 'nothing'

const lineFeed = 0x0a

/**
 * Reads one HTTP/1.1 answer after another from the bytes of a connection, however they are cut, and keeps only what a
 * load run counts. Answers to HEAD are not for it: it would wait for the body they announce.
 */
export class AnswerReader {
  status = 0
  bodyBytes = 0
  /** The server closes the connection after this answer. */
  isLast = false
  #expected: Expected = 'status'
  #line = ''
  /** Bytes of the body, or of the chunk, that are still to come. */
  #left = 0
  #length: number | undefined
  #isChunked = false

  /** Forgets the last answer; the next bytes begin another. */
  begin(): void {
    this.status = 0
    this.bodyBytes = 0
    this.isLast = false
    this.#expected = 'status'
  }

  /** True once the answer is complete. Throws at what is no answer, also at bytes nobody asked for. */
  push(bytes: Buffer): boolean {
    let offset = 0
    while (offset < bytes.length) {
      if (this.#expected === 'nothing') throw new Error('bytes after the end of an answer')
      if (this.#left > 0) {
        const taken = Math.min(this.#left, bytes.length - offset)
        this.#left -= taken
        this.bodyBytes += taken
        offset += taken
        if (this.#left === 0) this.#expected = this.#expected === 'chunk' ? 'chunk-end' : 'nothing'
        continue
      }
      if (this.#expected === 'rest') {
        this.bodyBytes += bytes.length - offset
        return false
      }
      const end = bytes.indexOf(lineFeed, offset)
      this.#line += bytes.toString('latin1', offset, end < 0 ? bytes.length : end)
      if (end < 0) return false
      offset = end + 1
      const line = this.#line.endsWith('\r') ? this.#line.slice(0, -1) : this.#line
      this.#line = ''
      this.#takeLine(line)
    }
    return this.#expected === 'nothing'
  }

  /** The connection has ended; true when that is how the answer ends. */
  end(): boolean {
    return this.#expected === 'rest'
  }

  #takeLine(line: string): void {
    switch (this.#expected) {
      case 'status': {
        const status = /^HTTP\/1\.[01] (\d{3})(?: |$)/.exec(line)?.[1]
        if (status === undefined) throw new Error(`no status line: ${line}`)
        this.status = Number(status)
        this.isLast = line.startsWith('HTTP/1.0')
        this.#length = undefined
        this.#isChunked = false
        this.#expected = 'header'
        return
      }
      case 'header':
        if (line === '') this.#beginBody()
        else this.#takeHeader(line)
        return
      case 'chunk-size': {
        const size = /^[0-9a-f]+/i.exec(line)?.[0]
        if (size === undefined) throw new Error(`no size of a chunk: ${line}`)
        this.#left = Number.parseInt(size, 16)
        this.#expected = this.#left === 0 ? 'trailer' : 'chunk'
        return
      }
      case 'chunk-end':
        if (line !== '') throw new Error('a chunk is longer than its size')
        this.#expected = 'chunk-size'
        return
      default:
        if (line === '') this.#expected = 'nothing'
    }
  }

  #takeHeader(line: string): void {
    const colon = line.indexOf(':')
    // Of all names only these three count, and no other of their lengths needs to be spelled out.
    if (colon !== 10 && colon !== 14 && colon !== 17) return
    const name = line.slice(0, colon).toLowerCase()
    if (name === 'content-length') this.#length = Number(line.slice(colon + 1))
    else if (name === 'transfer-encoding') this.#isChunked = true
    else if (
      name === 'connection' &&
      line
        .slice(colon + 1)
        .trim()
        .toLowerCase() === 'close'
    )
      this.isLast = true
  }

  #beginBody(): void {
    if (this.status < 200) this.#expected = 'status'
    else if (this.#isChunked) this.#expected = 'chunk-size'
    else if (this.#length === 0 || this.status === 204 || this.status === 304) this.#expected = 'nothing'
    else if (this.#length === undefined) {
      this.isLast = true
      this.#expected = 'rest'
    } else {
      this.#left = this.#length
      this.#expected = 'counted'
    }
  }
}
