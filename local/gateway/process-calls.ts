/** Questions between the processes of one gateway, each answered once. */
export interface Channel {
  send(message: unknown): void
  onMessage(take: (message: unknown) => void): void
}

type Message =
  | { readonly kind: 'asked'; readonly id: number; readonly name: string; readonly args: readonly unknown[] }
  | { readonly kind: 'answered'; readonly id: number; readonly value: unknown }
  | { readonly kind: 'failed'; readonly id: number; readonly reason: string }

export interface ProcessCalls {
  ask(name: string, ...args: readonly unknown[]): Promise<unknown>
  /** Nobody will answer any more. */
  end(): void
}

/** Asks the other side, and answers what it asks by `answer`. */
export function processCalls(
  channel: Channel,
  answer: (name: string, args: readonly unknown[]) => Promise<unknown>,
): ProcessCalls {
  const open = new Map<number, PromiseWithResolvers<unknown>>()
  let asked = 0
  channel.onMessage((message) => {
    if (!isOurs(message)) return
    if (message.kind === 'asked') {
      const { id } = message
      answer(message.name, message.args).then(
        (value) => channel.send({ kind: 'answered', id, value }),
        (error: unknown) => channel.send({ kind: 'failed', id, reason: String(error) }),
      )
      return
    }
    const waiting = open.get(message.id)
    open.delete(message.id)
    if (message.kind === 'answered') waiting?.resolve(message.value)
    else waiting?.reject(new Error(message.reason))
  })
  return {
    ask(name, ...args) {
      const waiting = Promise.withResolvers<unknown>()
      asked += 1
      open.set(asked, waiting)
      channel.send({ kind: 'asked', id: asked, name, args })
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
    ['asked', 'answered', 'failed'].includes(String(message.kind))
  )
}
