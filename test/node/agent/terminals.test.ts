/** What many terminals and slow readers cost, with programs whose output the test decides. */
import { test } from 'vitest'
import {
  connectTokensMax,
  scrollbackBytesMax,
  terminalFrameBytesMax,
  terminalsExitedMax,
  terminalsLiveMax,
} from '../../../local/agent/limits.ts'
import type { SocketPeer } from '../../../local/agent/ports.ts'
import { createIdentifiers } from '../../../local/agent/runtime/identifiers.ts'
import { PseudoTerminals, type TerminalProcessOptions } from '../../../local/agent/runtime/terminals.ts'

const location = { directory: '/project', project: { id: 'global', directory: '/project' } }
const clock = { nowMs: () => 1_000 }

function terminalsOfTest(start?: () => Promise<never>) {
  const programs: TerminalProcessOptions[] = []
  const faults: unknown[] = []
  const terminals = new PseudoTerminals({
    start:
      start ??
      (async (options) => {
        programs.push(options)
        return {
          pid: programs.length,
          write: async () => undefined,
          resize: () => undefined,
          end: async () => options.onExit({ exitCode: 0, signal: 1 }),
        }
      }),
    locations: { resolve: async () => ({ ok: true, value: location }) },
    ids: createIdentifiers(clock),
    clock,
    logger: { error: (...fault) => faults.push(fault) },
    notify: () => undefined,
    environment: {},
  })
  const create = async () => {
    const created = await terminals.create(location, {})
    if (!created.ok) throw new Error(created.failure.message)
    return created.value.id
  }
  const ticketFor = (id: string) => {
    const minted = terminals.mintTicket(location, id)
    if (!minted.ok) throw new Error(minted.failure.message)
    return minted.value.ticket
  }
  return { terminals, programs, faults, create, ticketFor }
}

/** A reader whose frames are taken when the test says so. */
function readerOf(parts: ReturnType<typeof terminalsOfTest>, id: string) {
  const frames: (string | { cursor: number; dropped?: number })[] = []
  const gates: (() => void)[] = []
  let isOpen = true
  const peer: SocketPeer = {
    get isOpen() {
      return isOpen
    },
    send(frame) {
      frames.push(typeof frame === 'string' ? frame : JSON.parse(new TextDecoder().decode(frame.subarray(1))))
      return new Promise((taken) => gates.push(taken))
    },
    close: () => {
      isOpen = false
    },
  }
  const connected = parts.terminals.connect(location, id, { ticket: parts.ticketFor(id), canUpgrade: true })
  if (!connected.ok) throw new Error(connected.failure.message)
  connected.value(peer)
  const settle = () => new Promise((resolve) => setImmediate(resolve))
  return {
    frames,
    get isOpen() {
      return isOpen
    },
    /** Takes the frame that waits, and lets the next one come. */
    async take() {
      gates.shift()?.()
      await settle()
    },
    settle,
  }
}

test('a reader that is as far behind as the scrollback reaches misses nothing', async ({ expect }) => {
  const parts = terminalsOfTest()
  const id = await parts.create()
  const reader = readerOf(parts, id)
  await reader.take()
  parts.programs[0]?.onOutput(new Uint8Array(scrollbackBytesMax).fill(0x61))
  await reader.settle()
  for (let frame = 0; frame < scrollbackBytesMax / terminalFrameBytesMax; frame += 1) await reader.take()

  const [first, ...output] = reader.frames
  expect(first).toEqual({ cursor: 0 })
  expect(output.join('')).toHaveLength(scrollbackBytesMax)
})

test('one byte further behind it is told what it missed, and goes on with the newest', async ({ expect }) => {
  const parts = terminalsOfTest()
  const id = await parts.create()
  const reader = readerOf(parts, id)
  parts.programs[0]?.onOutput(new Uint8Array(scrollbackBytesMax + 1).fill(0x61))
  await reader.take()
  await reader.take()
  await reader.take()

  const cursor = scrollbackBytesMax + 1 - terminalFrameBytesMax
  expect(reader.frames).toEqual([{ cursor: 0 }, { cursor, dropped: cursor }, 'a'.repeat(terminalFrameBytesMax)])
})

test('a reader that takes nothing holds up neither the program nor another reader', async ({ expect }) => {
  const parts = terminalsOfTest()
  const id = await parts.create()
  const [stalled, other] = [readerOf(parts, id), readerOf(parts, id)]
  await other.take()
  for (let line = 0; line < 10; line += 1) {
    parts.programs[0]?.onOutput(new TextEncoder().encode(`${line}\n`))
    await other.settle()
    await other.take()
  }
  parts.programs[0]?.onExit({ exitCode: 0 })
  await other.settle()

  expect(other.frames.slice(1).join('')).toBe('0\n1\n2\n3\n4\n5\n6\n7\n8\n9\n')
  expect(other.isOpen).toBe(false)
  expect(stalled.frames).toEqual([{ cursor: 0 }])
})

test('a replay that is longer than the scrollback begins with what is left', async ({ expect }) => {
  const parts = terminalsOfTest()
  const id = await parts.create()
  parts.programs[0]?.onOutput(new TextEncoder().encode(`lost${'b'.repeat(scrollbackBytesMax)}`))
  parts.programs[0]?.onExit({ exitCode: 0 })
  const reader = readerOf(parts, id)
  while (reader.isOpen) await reader.take()

  expect(reader.frames.at(-1)).toEqual({ cursor: scrollbackBytesMax + 4 })
  expect(reader.frames.slice(0, -1).join('')).toBe('b'.repeat(scrollbackBytesMax))
})

test('as many terminals as there may be live at once, also when they are asked for together', async ({ expect }) => {
  const { terminals, create, programs } = terminalsOfTest()
  const asked = await Promise.all(
    Array.from({ length: terminalsLiveMax + 1 }, () => terminals.create(location, { title: 'x' })),
  )
  expect(asked.filter(({ ok }) => ok)).toHaveLength(terminalsLiveMax)
  expect(asked.find(({ ok }) => !ok)).toMatchObject({ failure: { code: 'conflict' } })
  expect(programs).toHaveLength(terminalsLiveMax)

  programs[0]?.onExit({ exitCode: 0 })
  await create()
  expect(terminals.list(location)).toHaveLength(terminalsLiveMax + 1)
})

test('of those that have ended the newest are kept', async ({ expect }) => {
  const { terminals, create, programs } = terminalsOfTest()
  const ids: string[] = []
  for (let made = 0; made <= terminalsExitedMax; made += 1) ids.push(await create())
  const kept = () => terminals.list(location).map(({ id }) => id)
  for (const program of programs.slice(1)) program.onExit({ exitCode: 0 })
  expect(new Set(kept())).toEqual(new Set(ids))

  programs[0]?.onExit({ exitCode: 0 })
  expect(new Set(kept())).toEqual(new Set(ids.filter((_id, index) => index !== 1)))
})

test('of the tokens that nobody used the oldest go first, and all of a terminal go with it', async ({ expect }) => {
  const parts = terminalsOfTest()
  const id = await parts.create()
  const tickets = Array.from({ length: connectTokensMax }, () => parts.ticketFor(id))
  const opens = (ticket: string | undefined) => parts.terminals.connect(location, id, { ticket, canUpgrade: false })
  const isKnown = (ticket: string | undefined) => {
    const opened = opens(ticket)
    return !opened.ok && opened.failure.code === 'invalid_request'
  }
  expect(tickets.filter(isKnown)).toHaveLength(connectTokensMax)

  const last = parts.ticketFor(id)
  expect([tickets[0], tickets[1], last].map(isKnown)).toEqual([false, true, true])
  await parts.terminals.remove(location, id)
  expect(opens(last)).toMatchObject({ failure: { code: 'not_found' } })
})

test('where the system opens no terminal that is said, and counts for nothing', async ({ expect }) => {
  const { terminals, faults } = terminalsOfTest(() => Promise.reject(new Error('forkpty(3) failed.')))
  for (let asked = 0; asked <= terminalsLiveMax; asked += 1) {
    expect(await terminals.create(location, {})).toMatchObject({ failure: { code: 'backend_unavailable' } })
  }
  expect(faults).toHaveLength(terminalsLiveMax + 1)
})
