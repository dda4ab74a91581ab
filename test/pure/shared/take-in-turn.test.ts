import { test } from 'vitest'
import { takeInTurn } from '../../../shared/sockets/take-in-turn.ts'

function peerOf() {
  const did: string[] = []
  let listener: (data: string) => void = () => undefined
  const peer = {
    on(_: 'message', heard: (data: string) => void) {
      listener = heard
    },
    pause: () => void did.push('pause'),
    resume: () => void did.push('resume'),
    terminate: () => void did.push('terminate'),
  }
  return { peer, did, say: (data: string) => listener(data) }
}

test('messages are taken one at a time, in order, and none is read meanwhile', async ({ expect }) => {
  const { peer, did, say } = peerOf()
  const first = Promise.withResolvers<void>()
  takeInTurn(peer, async (data) => {
    did.push(`begins ${data}`)
    if (data === 'a') await first.promise
    did.push(`ends ${data}`)
  })
  say('a')
  say('b')
  await expect.poll(() => did).toEqual(['pause', 'pause', 'begins a'])
  first.resolve()

  await expect.poll(() => did.slice(3)).toEqual(['ends a', 'resume', 'begins b', 'ends b', 'resume'])
})

test('a message that cannot be taken ends the connection', async ({ expect }) => {
  const { peer, did, say } = peerOf()
  takeInTurn(peer, (data) => {
    throw new Error(`no ${data}`)
  })
  say('a')

  await expect.poll(() => did).toEqual(['pause', 'terminate'])
})
