import { bodyCharactersKeptMax } from '../limits.ts'
import type { AnswerBody, SaidBodies } from '../ports.ts'

/** What a request and its answer say, noted as it goes by, for a key whose owner wants it kept. */
export class BodyRecord {
  readonly #keep: (bodies: SaidBodies) => void
  readonly #decoder = new TextDecoder()
  readonly #request: string
  #answer = ''
  #isCut: boolean
  #hasCalled = false
  #isOver = false

  constructor(request: Uint8Array, keep: (bodies: SaidBodies) => void) {
    const text = new TextDecoder().decode(request)
    this.#keep = keep
    this.#request = text.slice(0, bodyCharactersKeptMax)
    this.#isCut = text.length > bodyCharactersKeptMax
  }

  /** A provider is asked: there will be a call to show it with. */
  called(): void {
    this.#hasCalled = true
  }

  /** The answer on its way to the client, as it is. */
  passed(body: AnswerBody, status: number): AnswerBody {
    if (!this.#hasCalled) return body
    if (body === null || typeof body === 'string') {
      this.#note(body ?? '')
      this.#end(status)
      return body
    }
    return {
      start: (sink) =>
        body.start({
          enqueue: (piece) => {
            this.#note(typeof piece === 'string' ? piece : this.#decoder.decode(piece, { stream: true }))
            sink.enqueue(piece)
          },
          close: () => {
            this.#end(status)
            sink.close()
          },
          hasRoom: () => sink.hasRoom(),
        }),
      pull: () => body.pull(),
      cancel: () => {
        this.#end(status)
        body.cancel()
      },
    }
  }

  #note(text: string): void {
    const room = bodyCharactersKeptMax - this.#answer.length
    if (text.length > room) this.#isCut = true
    if (room > 0) this.#answer += text.slice(0, room)
  }

  /** Once: a client that leaves may be told of twice. */
  #end(status: number): void {
    if (this.#isOver) return
    this.#isOver = true
    this.#keep({ status, request: this.#request, answer: this.#answer, isCut: this.#isCut })
  }
}
