import { readFileSync } from 'node:fs'
import path from 'node:path'
import { describe, test } from 'vitest'
import { stopForCapacity, stopForSpace } from '../../../../workers/app/core/push-plan.ts'
import { pushReasonOf } from '../../../../workers/app/web/model/push-reasons.ts'
import { english } from '../../../../workers/app/web/words/english.ts'

const gib = 1024 ** 3
const space = { pendingBytes: 2 * gib, minFreeBytes: gib }

describe('why a push did not come to its end', () => {
  test.for([
    ['spaceUnread', stopForSpace({ ...space, freeBytes: undefined }, gib), []],
    ['spaceLow', stopForSpace({ ...space, freeBytes: gib }, gib), ['-1.00 GiB', '1.00 GiB']],
    ['spaceTooLittle', stopForSpace({ ...space, freeBytes: 5 * gib }, 9 * gib), ['3.00 GiB', '9.00 GiB', '1.00 GiB']],
    ['capacityUnread', stopForCapacity({ capacityBytes: gib, seedingBytes: undefined }, gib), []],
    [
      'capacityFull',
      stopForCapacity({ capacityBytes: 4 * gib, seedingBytes: 3 * gib }, 2 * gib),
      ['3.00 GiB', '2.00 GiB', '4.00 GiB'],
    ],
  ] as const)('%s is known by what the server says: %s', ([name, sentence, amounts], { expect }) => {
    expect(pushReasonOf(sentence ?? '')).toEqual({ name, amounts })
    const told = english.pushReasons[name](amounts)
    for (const one of amounts) expect(told).toContain(one)
    expect(told).not.toMatch(/\p{Script=Han}/u)
  })

  test.for([
    ['downloaderDeleted', 'follow-pushes.ts', '下载器已被删除'],
    ['cutOff', 'follow-pushes.ts', '推送中断，下载器中没有这个种子'],
    ['removed', 'follow-pushes.ts', '种子已从下载器中移除'],
    ['fileRefused', 'live-downloader.ts', '下载器不接受这个种子文件：文件有误，或它的版本不支持这种格式'],
    ['notListed', 'live-downloader.ts', '下载器已接受，但列表中还没有这个种子'],
    ['noDownloader', 'brush/run-brush.ts', '没有可用的下载器'],
    ['lineFull', '../core/push-fault.ts', '这个站点正在推送其他种子，请稍后再试'],
    ['interrupted', '../core/push-fault.ts', '推送被中断，结果请看推送记录'],
  ] as const)('%s is what %s says', ([name, file, sentence], { expect }) => {
    const source = readFileSync(path.resolve(import.meta.dirname, '../../../../workers/app/adapters', file), 'utf8')
    expect(source).toContain(`'${sentence}'`)
    expect(pushReasonOf(sentence)?.name).toBe(name)
  })

  test('other words are no known reason', ({ expect }) => {
    for (const words of ['', '别的话', '下载器已被删除了']) expect(pushReasonOf(words)).toBeUndefined()
  })
})
