import { failWith, succeed } from '#shared/kernel/result.ts'
import type { GatewayOffice, GatewayService } from '../ports/gateway.ts'

/** The gateway beside the app, asked for the owner. Its refusals are values; only the text of one is kept. */
export function createGatewayService(office: GatewayOffice | undefined): GatewayService {
  return {
    path: office?.path ?? '',
    async ask(method, target, body) {
      if (office === undefined) return failWith({ status: 503, words: undefined })
      const answer = await office.ask(method, target, body === undefined ? undefined : JSON.stringify(body))
      const text = await answer.text()
      if (answer.ok) return succeed(text)
      return failWith({ status: answer.status, words: wordsOf(text) })
    },
  }
}

function wordsOf(text: string): string | undefined {
  try {
    const { error }: { error?: { message?: unknown } } = JSON.parse(text)
    const words = error?.message
    return typeof words === 'string' ? words : undefined
  } catch {
    return undefined
  }
}
