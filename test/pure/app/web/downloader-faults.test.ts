import { describe, test } from 'vitest'
import { type DownloaderFault, describeFault } from '../../../../workers/app/core/downloader-fault.ts'
import { downloaderFaultsOf } from '../../../../workers/app/web/model/downloader-faults.ts'
import { chinese } from '../../../../workers/app/web/words/chinese.ts'
import { english } from '../../../../workers/app/web/words/english.ts'

/** Typed against the server's list, so that a new reason does not compile until it stands here. */
const everyFault: Readonly<Record<DownloaderFault['kind'], readonly DownloaderFault[]>> = {
  credentials: [{ kind: 'credentials' }],
  banned: [{ kind: 'banned' }],
  host_refused: [{ kind: 'host_refused' }],
  unreachable: [{ kind: 'unreachable' }],
  timeout: [{ kind: 'timeout' }],
  certificate: [{ kind: 'certificate' }],
  not_this_kind: [{ kind: 'not_this_kind' }],
  too_large: [{ kind: 'too_large' }],
  rejected: [{ kind: 'rejected' }],
  status: [{ kind: 'status', status: 503 }],
  secrets: [
    { kind: 'secrets', state: 'missing' },
    { kind: 'secrets', state: 'changed' },
  ],
  interrupted: [{ kind: 'interrupted' }],
}
const programs = { qbittorrent: 'qBittorrent', transmission: 'Transmission' } as const

describe('reasons of downloaders', () => {
  for (const kind of ['qbittorrent', 'transmission'] as const) {
    test.for(Object.values(everyFault).flat())(
      `the page knows what the server says of a ${kind}: %o`,
      (fault, { expect }) => {
        const detail = fault.kind === 'not_this_kind' ? programs[kind] : fault.kind === 'status' ? '503' : ''
        const sentence = describeFault(fault, kind)
        expect(downloaderFaultsOf(sentence)).toEqual([{ name: fault.kind, detail }])
        const told = english.downloaderFaults[fault.kind](detail)
        expect(told).toContain(detail)
        expect(told).not.toMatch(/\p{Script=Han}/u)
        expect(chinese.downloaderFaults[fault.kind](detail)).toContain(detail)
        // As a job says it of several.
        expect(downloaderFaultsOf(`nas：${sentence}；客厅：下载器响应超时`)).toEqual([
          { name: fault.kind, detail, downloader: 'nas' },
          { name: 'timeout', detail: '', downloader: '客厅' },
        ])
      },
    )
  }

  test.for(['', '别的话', '无法连接下载器了', 'nas：别的话；客厅：下载器响应超时'])(
    '%j is no known reason',
    (words, { expect }) => {
      expect(downloaderFaultsOf(words)).toBeUndefined()
    },
  )
})
