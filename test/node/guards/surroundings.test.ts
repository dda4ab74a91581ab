/** A file that changes what the next one in its process meets is told so. */
import process from 'node:process'
import { onTestFinished, test, vi } from 'vitest'
import { changedSince, putPlatformBack, surroundings } from '../../support/leave-as-found.ts'

const here = process.cwd()
const mask = process.umask()
const { fetch } = globalThis

const planted: readonly (readonly [what: string, change: () => unknown, back: () => unknown])[] = [
  [
    '$WHARF_PLANTED',
    () => Object.assign(process.env, { WHARF_PLANTED: 'yes' }),
    () => Reflect.deleteProperty(process.env, 'WHARF_PLANTED'),
  ],
  ['fetch', () => Object.assign(globalThis, { fetch: () => undefined }), () => Object.assign(globalThis, { fetch })],
  ['the clock', () => vi.useFakeTimers(), () => vi.useRealTimers()],
  ['the folder', () => process.chdir('..'), () => process.chdir(here)],
  ['the mask of new files', () => process.umask(0o077), () => process.umask(mask)],
]

test.for(planted)('%s is missed when a file leaves it changed', ([what, change, back], { expect }) => {
  const before = surroundings()
  onTestFinished(() => void back())
  change()
  expect(changedSince(before)).toEqual([what])
})

test('what a server put in the place of the platform is gone before the next file', ({ expect }) => {
  const own = [Request, Response]
  onTestFinished(putPlatformBack)
  for (const name of ['Request', 'Response']) Object.defineProperty(globalThis, name, { value: Date })
  putPlatformBack()
  expect([Request, Response]).toEqual(own)
})
