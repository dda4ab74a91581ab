/** A session of fifty thousand events, written into the database of a server that does not run. */
import { openSqlite } from '../../local/agent/adapters/node-sqlite.ts'
import { noTokens } from '../../local/agent/core/session/message.ts'
import { createIdentifiers } from '../../local/agent/runtime/identifiers.ts'
import { SessionStore } from '../../local/agent/runtime/session-store.ts'

export const longSessionTurns = 500
/** With those of their beginning and end, a hundred events a turn. */
const piecesOfTurn = 95

/** Answers its id. */
export function fillLongSession(databaseFile: string, directory: string): string {
  const options = { busyMs: 1_000, bytesMax: 1024 ** 3, walBytesMax: 1024 ** 2, versionMin: '3.51.3' }
  const sql = openSqlite(databaseFile, options)
  const clock = { nowMs: () => Date.now() }
  const ids = createIdentifiers(clock)
  const store = new SessionStore({ sql, clock, ids, version: '0' })
  const id = ids.make('session')
  const model = { id: 'one', providerID: 'fake' }
  const nowMs = clock.nowMs()
  const info = {
    id,
    projectID: 'global',
    cost: 0,
    tokens: noTokens,
    time: { created: nowMs, updated: nowMs },
    title: 'A long one',
    location: { directory },
  }
  store.commit(id, ({ append }) => append({ type: 'session.created', data: { info } }))
  for (let turn = 0; turn < longSessionTurns; turn += 1) {
    store.commit(id, ({ append }) => {
      const assistantMessageID = ids.make('message')
      const textID = `text_${turn}`
      const prompt = { text: `Question ${turn}` }
      append({
        type: 'session.next.prompted',
        data: { messageID: ids.make('message'), prompt, delivery: 'queue' },
      })
      append({ type: 'session.next.step.started', data: { assistantMessageID, agent: 'build', model } })
      append({ type: 'session.next.text.started', data: { assistantMessageID, textID } })
      for (let piece = 0; piece < piecesOfTurn; piece += 1) {
        append({ type: 'session.next.text.delta', data: { assistantMessageID, textID, delta: `word ${piece} ` } })
      }
      append({
        type: 'session.next.text.ended',
        data: { assistantMessageID, textID, text: `Answer ${turn}. ${'word '.repeat(95)}` },
      })
      append({
        type: 'session.next.step.ended',
        data: { assistantMessageID, finish: 'stop', cost: 0, tokens: noTokens },
      })
    })
  }
  sql.close()
  return id
}
