import { describe, test } from 'vitest'
import type { WireMessage } from '../../../../workers/app/contract/assistant.ts'
import { touchedTorrents, withoutTargets } from '../../../../workers/app/web/model/touched-torrents.ts'

function read(content: unknown, tool_name = 'list_downloader_torrents'): WireMessage {
  return {
    id: 'm',
    run_id: 'r',
    role: 'tool',
    content: typeof content === 'string' ? content : JSON.stringify(content),
    created_at: '2026-11-21T14:03:00Z',
    tool_name,
    tool_call_id: 'c',
    is_error: false,
  }
}
const listed = (title: string, downloader_id = 1) => ({ downloader_id, task_id: 'a', title, size: 5, ratio: 1.5 })

describe('what an action touches', () => {
  test('is told with what was read of it last, of the very downloader', ({ expect }) => {
    const given = {
      targets: [
        { downloader_id: 1, task_id: 'a' },
        { downloader_id: 2, task_id: 'b' },
      ],
    }
    const messages = [
      read({ items: [listed('before'), listed('other downloader', 2)] }),
      read({ items: [listed('now')] }),
      read({ items: [listed('of another tool')] }, 'list_tasks'),
    ]
    expect(touchedTorrents(given, messages)).toEqual([
      { taskId: 'a', title: 'now', size: 5, ratio: 1.5 },
      { taskId: 'b', title: undefined, size: undefined, ratio: undefined },
    ])
  })

  test.for([
    ['no targets', {}, []],
    ['targets that are none', { targets: 'all' }, []],
    ['a target of another shape', { targets: [{ downloader_id: '1', task_id: 'a' }, null, 'a'] }, []],
  ] as const)('is nothing for %s', ([, given, touched], { expect }) => {
    expect(touchedTorrents(given, [read({ items: [listed('x')] })])).toEqual(touched)
  })

  test.for(['{"items":[{', 'null', '[]', '下载器响应超时', '{"items":[null,{"task_id":"a"}]}'])(
    'a result like %s tells nothing of it',
    (content, { expect }) => {
      const given = { targets: [{ downloader_id: 1, task_id: 'a' }] }
      expect(touchedTorrents(given, [read(content)])[0]?.title).toBeUndefined()
    },
  )

  test('leaves the other arguments', ({ expect }) => {
    expect(withoutTargets({ targets: [], delete_files: true })).toEqual({ delete_files: true })
  })
})
