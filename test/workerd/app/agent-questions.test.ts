/** How long a yes counts that an agent's program asked for, and what there is without a key to seal the question with. */
import type { ServerContext } from '@modelcontextprotocol/server'
import { describe, test } from 'vitest'
import { createSecretBox } from '../../../workers/app/adapters/secret-box.ts'
import type { Principal } from '../../../workers/app/core/principal.ts'
import { answerTo } from '../../../workers/app/http/agent-questions.ts'
import { confirmationMs } from '../../../workers/app/limits.ts'
import type { JudgedCall } from '../../../workers/app/ports/assistant.ts'

let kept: string | undefined
const keyCheck = {
  read: async () => kept,
  writeFirst: async (text: string) => {
    kept ??= text
  },
  replace: async (text: string) => {
    kept = text
  },
}
const caller = { kind: 'token', id: '7', scopes: ['app:read', 'app:write'] } as unknown as Principal
const judged: Extract<JudgedCall, { readonly kind: 'confirm' }> = {
  kind: 'confirm',
  arguments: { site: 'shelf', torrent_id: '101' },
  proposed: { action: 'push', targets: [{ site: 'shelf', site_title: '', torrent_id: '101', downloader: 'nas' }] },
}
const contextOf = (requestState?: string, action?: string) =>
  ({
    mcpReq: {
      requestState: () => requestState,
      inputResponses: action === undefined ? undefined : { confirm: { action } },
    },
  }) as unknown as ServerContext

function asking(masterKey: string | undefined = btoa('k'.repeat(32))) {
  let nowMs = 1_764_000_000_000
  const deps = { secrets: createSecretBox(masterKey, keyCheck), clock: { nowMs: () => nowMs } }
  const ask = (context: ServerContext, question = 'Push it?') =>
    answerTo(deps, context, caller, 'push_torrent', judged, question, (spec) => ({
      resultType: 'input_required',
      ...spec,
    }))
  const stateOf = async () => ((await ask(contextOf())) as { requestState: string }).requestState
  return {
    ask,
    stateOf,
    later(ms: number) {
      nowMs += ms
    },
  }
}

describe('an answer', () => {
  test.for([
    ['accept', 'yes'],
    ['decline', 'no'],
    ['cancel', 'no'],
    ['Accept', 'no'],
  ] as const)('%s is %s', async ([action, expected], { expect }) => {
    const { ask, stateOf } = asking()
    expect(await ask(contextOf(await stateOf(), action))).toBe(expected)
  })

  test('counts until its time is over', async ({ expect }) => {
    const { ask, stateOf, later } = asking()
    const state = await stateOf()
    later(confirmationMs - 1)
    expect(await ask(contextOf(state, 'accept'))).toBe('yes')
    later(1)
    expect(await ask(contextOf(state, 'accept'))).toMatchObject({ resultType: 'input_required' })
  })

  test('counts for the question as it was read', async ({ expect }) => {
    const { ask, stateOf } = asking()
    const state = await stateOf()
    expect(await ask(contextOf(state, 'accept'), 'Push another?')).toMatchObject({ resultType: 'input_required' })
  })

  test('is asked for nowhere without a key to seal the question with', async ({ expect }) => {
    const { ask } = asking('short')
    expect(await ask(contextOf())).toBe('no_master_key')
  })
})
