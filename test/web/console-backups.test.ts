// @module-tag slow
/** The screen of backups, and what every screen says of a machine that is not well. */
import { readFile } from 'node:fs/promises'
import { describe, test } from 'vitest'
import { axeFindings, chromiumPart } from '../support/chromium.ts'
import { consoleScreens } from '../support/console-screens.ts'

const patient = { timeout: 15_000 }

describe.skipIf(chromiumPart.isMissing)(`backups ${chromiumPart.skipNote}`, () => {
  const open = consoleScreens()

  test('are listed with what is known of each, made, read back and downloaded', async ({ expect }) => {
    const { page } = await open('#/backups')
    const rows = page.locator('table.backups tbody tr')
    await rows.first().waitFor()
    expect(await rows.allInnerTexts()).toEqual([
      expect.stringContaining('Whole, 38,204 rows'),
      expect.stringContaining('Not read back'),
      expect.stringContaining('The backup cannot be used: it is no backup'),
    ])
    expect(await rows.nth(2).innerText()).toContain('sealed')
    expect(await page.locator('code').innerText()).toBe(
      'npm run restore -- /data/backups/wharf-3-daily.tar.gz --data /data',
    )
    expect(await axeFindings(page)).toEqual([])

    await page.getByRole('button', { name: 'Back up now' }).click()
    await expect.poll(() => rows.count(), patient).toBe(4)
    await page.getByRole('button', { name: 'Read back wharf-2-before-migration.tar.gz' }).click()
    await expect.poll(() => rows.nth(2).innerText(), patient).toContain('Whole, 38,204 rows')
    const download = page.waitForEvent('download')
    await page.getByRole('link', { name: 'Download wharf-3-daily.tar.gz' }).click()
    expect(await readFile(await (await download).path(), 'utf8')).toBe('the file wharf-3-daily.tar.gz')
  })

  test('that cannot be made or sent say why', async ({ expect }) => {
    const away = {
      address: 'https://s3.example/bucket/wharf',
      count: 2,
      reason: {
        kind: 'backup.not_sent' as const,
        trouble: { kind: 'unexpected' as const, words: 's3.example answered 403' },
      },
    }
    const { page } = await open('#/backups', { bucket: away }, {}, (standIn) =>
      standIn.refusals.set('makeBackup', {
        status: 503,
        error: 'unavailable',
        reason: { kind: 'backup.failed', trouble: { kind: 'disk_full', folder: '/data' } },
      }),
    )
    await page.getByRole('button', { name: 'Back up now' }).click()
    await expect
      .poll(() => page.locator('.note.bad').first().innerText(), patient)
      .toContain('the disk that holds /data is full')
    expect(await page.locator('.bucket').innerText()).toMatch(
      /^2 are in the bucket https:\/\/s3\.example\/bucket\/wharf\s+Backups could not be sent to the bucket: s3\.example answered 403\. They are kept here/,
    )
  })

  test('are told of in the language of the page, also what is wrong with one', async () => {
    const { page } = await open('#/backups', {}, { locale: 'zh-CN' })
    await page.getByText('备份不能使用：这不是备份，或者已损坏或不完整').waitFor()
  })

  test('are the platform’s at the edge', async ({ expect }) => {
    const { page } = await open('#/backups', { backups: undefined })
    await page.getByText('The platform keeps the past of this service').waitFor()
    expect(await page.getByRole('button', { name: 'Back up now' }).count()).toBe(0)
  })

  test.for([
    ['en-GB', 'The disk that holds /data is full'],
    ['zh-CN', '/data 所在的磁盘已满'],
  ] as const)('in %s every screen says what is wrong with the machine', async ([locale, words], { expect }) => {
    const reason = { kind: 'machine.disk_full', path: '/data' } as const
    const { page } = await open('#/tokens', { problems: [{ message: '', reason }] }, { locale })
    await expect.poll(() => page.locator('.banner').innerText(), patient).toContain(words)
    expect(await axeFindings(page)).toEqual([])
  })
})
