/** Calls between the processes of one gateway, each answered once. */
export interface Channel {
  send(message: unknown): void
  onMessage(take: (message: unknown) => void): void
}

type Message =
  | { readonly kind: 'call'; readonly id: number; readonly name: string; readonly args: readonly unknown[] }
  | { readonly kind: 'answered'; readonly id: number; readonly value: unknown }
  | { readonly kind: 'failed'; readonly id: number; readonly reason: string }

export interface ProcessCalls {
  call(name: string, ...args: readonly unknown[]): Promise<unknown>
  /** Nobody will answer any more. */
  end(): void
}

/** Sends together what one pass of the loop says: a message costs several times what is in it. */
function together(channel: Channel): (message: Message) => void {
  let said: Message[] = []
  return (message) => {
    if (said.push(message) > 1) return
    setImmediate(() => {
      const all = said
      said = []
      channel.send(all)
    })
  }
}

/** Calls the other side, and answers its calls by `answer`. */
export function processCalls(
  channel: Channel,
  answer: (name: string, args: readonly unknown[]) => Promise<unknown>,
): ProcessCalls {
  const open = new Map<number, PromiseWithResolvers<unknown>>()
  let calls = 0
  const send = together(channel)
  const take = (message: unknown) => {
    if (!isOurs(message)) return
    if (message.kind === 'call') {
      const { id } = message
      answer(message.name, message.args).then(
        (value) => send({ kind: 'answered', id, value }),
        (error: unknown) => send({ kind: 'failed', id, reason: String(error) }),
      )
      return
    }
    const waiting = open.get(message.id)
    open.delete(message.id)
    if (message.kind === 'answered') waiting?.resolve(message.value)
    else waiting?.reject(new Error(message.reason))
  }
  channel.onMessage((messages) => {
    if (Array.isArray(messages)) for (const message of messages) take(message)
  })
  return {
    call(name, ...args) {
      const waiting = Promise.withResolvers<unknown>()
      calls += 1
      open.set(calls, waiting)
      send({ kind: 'call', id: calls, name, args })
      return waiting.promise
    },
    end() {
      for (const waiting of open.values()) waiting.reject(new Error('the other process has ended'))
      open.clear()
    },
  }
}

function isOurs(message: unknown): message is Message {
  return (
    typeof message === 'object' &&
    message !== null &&
    'kind' in message &&
    ['call', 'answered', 'failed'].includes(String(message.kind))
  )
}
