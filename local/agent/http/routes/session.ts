import { failWith, type Result, succeed } from '#shared/kernel/result.ts'
import {
  admitPrompt,
  clearRevert,
  commitRevert,
  compactSession,
  createSession,
  followSession,
  getContext,
  getHistory,
  getMessage,
  getSession,
  interruptSession,
  listActiveSessions,
  listChanges,
  listMessages,
  listSessions,
  listWaitingPrompts,
  revertHunks,
  stageRevert,
  switchAgent,
  switchModel,
  waitForSession,
  withdrawPrompt,
} from '../../contract/session.ts'
import { searchSaid } from '../../contract/session-search.ts'
import { parseEventCursor, parseSeq } from '../../core/cursor.ts'
import { type Failure, failure } from '../../core/failure.ts'
import type { AgentDeps, Page } from '../../ports.ts'
import { answerJson, answerWith, type BoundRoute, bind } from '../bind.ts'
import { locationOf } from './location.ts'

/** Where a list ends its cursor is `null` for sessions and absent for messages, as their clients know it. */
function pageText({ rows, previous, next }: Page, end: null | undefined, more = ''): string {
  const cursor = JSON.stringify({ previous: previous ?? end, next: next ?? end })
  return `{"data":[${rows.join(',')}],"cursor":${cursor}${more}}`
}

/** Success without a body. */
function done(outcome: Result<void, Failure>): Result<undefined, Failure> {
  return outcome.ok ? succeed(undefined) : outcome
}

export function sessionRoutes(deps: Pick<AgentDeps, 'sessions' | 'streams' | 'locations'>): readonly BoundRoute[] {
  const { sessions } = deps
  return [
    bind(listSessions, ({ query }) => {
      const page = sessions.list(query)
      return page.ok ? answerJson(pageText(page.value, null)) : page
    }),
    bind(createSession, async ({ body, headers }) => {
      const location = await locationOf(
        deps.locations,
        { directory: body.location?.directory, workspace: body.location?.workspaceID },
        headers,
      )
      if (!location.ok) return location
      const created = await sessions.create({
        id: body.id,
        agent: body.agent,
        model: body.model,
        location: location.value,
        inWorkTree: body.worktree,
      })
      return created.ok ? answerJson(`{"data":${created.value}}`) : created
    }),
    bind(listActiveSessions, () => {
      const running = sessions.active().map((id) => {
        const waiting = sessions.waitingCalls(id)
        return [id, { type: 'running' as const, ...(waiting.length === 0 ? {} : { waiting: [...waiting] }) }]
      })
      return answerWith({ data: Object.fromEntries(running) })
    }),
    // Before the sessions, of which none is named so.
    bind(searchSaid, async ({ query }) => {
      const page = await sessions.said(query)
      if (!page.ok) return page
      const { matches, searchedBackTo, next = null } = page.value
      const rows = matches.map(({ session, ...rest }) => `{"session":${session},${JSON.stringify(rest).slice(1)}`)
      const more = JSON.stringify({ searchedBackTo, cursor: { next } })
      return answerJson(`{"data":[${rows.join(',')}],${more.slice(1)}`)
    }),
    bind(getSession, ({ params }) => {
      const session = sessions.read(params.sessionID)
      return session.ok ? answerJson(`{"data":${session.value}}`) : session
    }),
    bind(getContext, ({ params }) => {
      const context = sessions.context(params.sessionID)
      return context.ok ? answerJson(`{"data":[${context.value.join(',')}]}`) : context
    }),
    bind(getHistory, ({ params, query }) => {
      const history = sessions.history(params.sessionID, query)
      if (!history.ok) return history
      return answerJson(`{"data":[${history.value.rows.join(',')}],"hasMore":${history.value.hasMore}}`)
    }),
    bind(listMessages, ({ params, query }) => {
      const page = sessions.messages(params.sessionID, query)
      return page.ok ? answerJson(pageText(page.value, undefined, `,"seq":${page.value.seq}`)) : page
    }),
    bind(getMessage, ({ params }) => {
      const message = sessions.message(params.sessionID, params.messageID)
      return message.ok ? answerJson(`{"data":${message.value}}`) : message
    }),
    bind(followSession, ({ params, query, headers }) => {
      const known = sessions.read(params.sessionID)
      if (!known.ok) return known
      const lastEventId = headers.get('last-event-id')
      const sent = lastEventId ?? query.after
      if (sent === undefined) return deps.streams.session(params.sessionID, undefined)
      const after = parseEventCursor(sent, params.sessionID) ?? (lastEventId === null ? parseSeq(sent) : undefined)
      if (after === undefined) {
        return failWith(failure('invalid_event_request', { kind: 'cursor_session' }, { kind: 'cursor' }))
      }
      return deps.streams.session(params.sessionID, after)
    }),
    bind(switchAgent, async ({ params, body }) => done(await sessions.switchAgent(params.sessionID, body.agent))),
    bind(switchModel, async ({ params, body }) => done(await sessions.switchModel(params.sessionID, body.model))),
    bind(admitPrompt, async ({ params, body }) => {
      const receipt = await sessions.admit(params.sessionID, body)
      return receipt.ok ? answerJson(`{"data":${JSON.stringify(receipt.value)}}`) : receipt
    }),
    bind(listWaitingPrompts, ({ params }) => {
      const waiting = sessions.waitingPrompts(params.sessionID)
      return waiting.ok ? answerWith({ data: [...waiting.value] }) : waiting
    }),
    bind(withdrawPrompt, ({ params }) => {
      const withdrawn = sessions.withdraw(params.sessionID, params.messageID)
      return withdrawn.ok ? answerJson(`{"data":${JSON.stringify(withdrawn.value)}}`) : withdrawn
    }),
    bind(compactSession, async ({ params, signal }) => done(await sessions.compact(params.sessionID, signal))),
    bind(waitForSession, async ({ params, signal }) => done(await sessions.wait(params.sessionID, signal))),
    bind(interruptSession, async ({ params }) => done(await sessions.interrupt(params.sessionID))),
    bind(listChanges, async ({ params }) => {
      const changes = await sessions.changes(params.sessionID)
      return changes.ok ? answerWith({ data: [...changes.value] }) : changes
    }),
    bind(revertHunks, async ({ params, body }) => done(await sessions.takeBackHunks(params.sessionID, body))),
    bind(stageRevert, async ({ params, body }) => {
      const staged = await sessions.stageRevert(params.sessionID, {
        messageID: body.messageID,
        files: body.files ?? true,
      })
      return staged.ok ? answerJson(`{"data":${JSON.stringify(staged.value)}}`) : staged
    }),
    bind(clearRevert, async ({ params }) => done(await sessions.clearRevert(params.sessionID))),
    bind(commitRevert, async ({ params }) => done(await sessions.commitRevert(params.sessionID))),
  ]
}
