import { chmod, mkdtemp, rm, writeFile } from 'node:fs/promises'
import os from 'node:os'
import path from 'node:path'
import { describe, test } from 'vitest'
import { requireReal } from '../../support/real-parts.ts'

describe('real parts', () => {
  test('finds a program on the search path', async ({ expect, onTestFinished }) => {
    const folder = await mkdtemp(path.join(os.tmpdir(), 'wharf-parts-'))
    onTestFinished(() => rm(folder, { recursive: true }))
    const program = path.join(folder, 'transmission-daemon')
    await writeFile(program, '')
    await chmod(program, 0o755)
    const part = requireReal('transmission-daemon', { PATH: `/nowhere::${folder}`, CI: 'true' })
    expect(part).toEqual({ path: program, isMissing: false, skipNote: '' })
  })

  test.for([{ CI: undefined }, { CI: '' }, { CI: 'false' }, { CI: '0' }])(
    'outside CI ($CI) a missing program is a skip that names the command',
    ({ CI }, { expect }) => {
      const part = requireReal('chromium', { PATH: '/nowhere', CI })
      expect(part.isMissing).toBe(true)
      expect(part.skipNote).toContain('apt-get install --no-install-recommends chromium')
    },
  )

  test.for([{ CI: 'true' }, { CI: '1' }])('in CI ($CI) a missing program fails', ({ CI }, { expect }) => {
    expect(() => requireReal('chromium', { PATH: '/nowhere', CI })).toThrow('chromium is missing')
  })
})
