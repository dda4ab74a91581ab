/** Adding torrents and what a torrent's panel shows and changes, on the page that the build makes. */
import { describe, test } from 'vitest'
import { axeFindings, chromiumPart } from '../support/chromium.ts'
import { consoleScreens, now } from '../support/console-screens.ts'
import { inventedLibrary } from '../support/invented-library.ts'

const hash = 'ab'.repeat(20)

describe.skipIf(chromiumPart.isMissing)(`torrents on the console ${chromiumPart.skipNote}`, () => {
  const open = consoleScreens()

  test('links and files are added one after another, and each says what came of it', { tags: 'slow' }, async ({
    expect,
  }) => {
    const { page, standIn } = await open('#/torrents')
    await page.locator('table.torrents').waitFor()
    await page.keyboard.press('a')
    const dialog = page.getByRole('dialog', { name: 'Add torrents' })
    await dialog.waitFor()
    const links = dialog.getByLabel('Magnet links, addresses')
    await dialog.getByRole('button', { name: 'Add', exact: true }).click()
    await dialog.getByText('Enter a link or choose a file.').waitFor()
    await links.fill('something else')
    await dialog.getByText('“something” is no magnet link').waitFor()
    await links.fill(
      `magnet:?xt=urn:btih:${hash}&dn=Linked\nhttps://tracker.example/1.torrent\nhttp://nas.local/2.torrent`,
    )
    await dialog.locator('input[type=file]').setInputFiles({
      name: 'Chosen.torrent',
      mimeType: 'application/x-bittorrent',
      buffer: Buffer.from('d4:infod4:name1:aee'),
    })
    await dialog.getByText('Chosen.torrent').waitFor()
    await dialog.getByLabel('Start paused').check()
    expect(await axeFindings(page)).toEqual([])
    await dialog.getByRole('button', { name: 'Add 4' }).click()

    const outcomes = dialog.locator('[role=status] li')
    await expect.poll(() => outcomes.count()).toBe(4)
    await expect
      .poll(() => outcomes.allInnerTexts())
      .toEqual([
        expect.stringMatching(/Linked\s+Added to nas-1/),
        expect.stringMatching(/From an address\s+Added to nas-1/),
        expect.stringContaining('public host name'),
        expect.stringMatching(/From a file\s+Added to nas-1/),
      ])
    // What did not work stands there for another try.
    expect(await links.inputValue()).toBe('http://nas.local/2.torrent')
    expect(standIn.state.torrents.slice(0, 3).map(({ state }) => state)).toEqual(['paused', 'paused', 'paused'])
    await links.fill(`magnet:?xt=urn:btih:${hash}&dn=Linked`)
    await dialog.getByRole('button', { name: 'Add', exact: true }).click()
    await dialog.getByText('nas-1 has it already').waitFor()
    expect(await axeFindings(page)).toEqual([])
    await dialog.getByRole('button', { name: 'Close' }).click()
    await page.getByRole('button', { name: 'Linked' }).first().waitFor()
  })

  test('both ends of a name stand on one line, next to each other', async ({ expect }) => {
    const { page } = await open('#/torrents', {}, { viewport: { width: 1440, height: 900 } })
    await page.locator('table.torrents').waitFor()
    const gaps = await page.locator('td.name .ends').evaluateAll((names) =>
      names.map((name) => {
        const [head, tail] = [...name.children].map((part) => part.getBoundingClientRect())
        return head === undefined || tail === undefined ? 999 : Math.abs(head.top - tail.top) + (tail.left - head.right)
      }),
    )
    expect(gaps.length).toBeGreaterThan(3)
    expect(gaps.filter((gap) => gap > 2)).toEqual([])
  })

  test('with Shift everything in between is chosen, the rest by a press, and an action on many can be stopped', {
    tags: 'slow',
  }, async ({ expect }) => {
    const [one] = inventedLibrary(now).torrents ?? []
    if (one === undefined) throw new Error('no torrent')
    const torrents = Array.from({ length: 420 }, (_, at) => ({
      ...one,
      title: `Film ${at}`,
      task_id: at.toString(16).padStart(40, '0'),
    }))
    const { page, standIn } = await open('#/torrents', { torrents, failures: [] })
    const rows = page.locator('tbody tr')
    await rows.first().waitFor()
    const box = (at: number) => rows.nth(at).locator('input')
    const bar = page.locator('.selbar')
    await box(2).click()
    await box(6).click({ modifiers: ['Shift'] })
    await bar.getByText('5 selected').waitFor()
    await box(4).click({ modifiers: ['Shift'] })
    await bar.getByText('2 selected').waitFor()
    await page.getByLabel('Select all that match').click()
    await bar.getByText('420 selected').waitFor()
    expect(await axeFindings(page)).toEqual([])

    // One that is left out is neither counted nor touched.
    await box(3).click()
    await bar.getByText('419 selected').waitFor()
    let letGo = () => {}
    const later = new Promise<void>((resolve) => (letGo = resolve))
    standIn.gates.set('readTorrentRun', later)
    await bar.getByRole('button', { name: 'Pause' }).click()
    const report = page.locator('[role=status]', { hasText: 'Pause all that match' })
    await report.getByText('0 of 419 done.').waitFor()
    expect(standIn.received.get('beginTorrentRun')).toEqual([
      {
        deed: { kind: 'pause' },
        except: [{ downloader_id: 1, task_id: '3'.padStart(40, '0') }],
        at_most: 419,
      },
    ])
    expect(await axeFindings(page)).toEqual([])
    // A page that is opened meanwhile follows it.
    const looks = () => standIn.received.get('readTorrentRun')?.length ?? 0
    await expect.poll(looks).toBe(1)
    await page.reload()
    await report.getByText('0 of 419 done.').waitFor()
    await expect.poll(looks).toBe(2)
    let letGoOn = () => {}
    standIn.gates.set('readTorrentRun', new Promise<void>((resolve) => (letGoOn = resolve)))
    letGo()
    await report.getByText(/[12]00 of 419 done/).waitFor()
    await report.getByRole('button', { name: 'Stop' }).click()
    standIn.gates.delete('readTorrentRun')
    letGoOn()
    await report.getByText(/Stopped; \d+ were left as they are/).waitFor()
    const held = () => standIn.state.torrents.filter(({ state }) => state === 'paused').length
    const first = held()
    expect(first % 100).toBe(0)
    expect(first).toBeGreaterThan(0)
    await report.getByRole('button', { name: 'Close' }).click()

    await page.getByLabel('Select all that match').click()
    await bar.getByText('420 selected').waitFor()
    await bar.getByRole('button', { name: 'Pause' }).click()
    await report.getByText('420 of 420 done.').waitFor()
    expect(held()).toBe(420)
    expect(standIn.received.has('actOnTorrents')).toBe(false)
    // Those that were paused already stay so when it is taken back; what goes on being there stays chosen.
    await report.getByRole('button', { name: 'Undo' }).click()
    await page.getByText(`${420 - first} of ${420 - first} done.`).waitFor()
    expect(held()).toBe(first)
    await bar.getByText('420 selected').waitFor()
  })

  test('the list changes by itself without being read again, not while it is hidden, and shows what is not new', {
    tags: 'slow',
  }, async ({ expect }) => {
    const { page, standIn } = await open('#/torrents')
    const count = (name: string) => standIn.received.get(name)?.length ?? 0
    await page.locator('tbody tr').first().waitFor()
    await expect.poll(() => count('streamTorrents')).toBe(1)
    const [first] = standIn.state.torrents
    if (first === undefined) throw new Error('no torrent')
    first.title = 'Renamed'
    await page.getByRole('button', { name: 'Renamed' }).waitFor()
    const reads = count('listTorrents')
    standIn.state.torrents.push({ ...first, task_id: 'f'.repeat(40), title: 'Just.Came', added_at: now + 60 })
    standIn.state.failures = [
      {
        ...{ downloader_id: first.downloader_id, downloader: first.downloader, last_answer_at: now - 300 },
        ...{ error: 'x', reason: { kind: 'downloader.timeout' } },
      },
    ]
    await page.getByRole('button', { name: 'Just.Came' }).waitFor()
    await page.getByText('Not up to date.').waitFor()
    expect(await page.locator('tr.late').count()).toBeGreaterThan(0)
    expect(await axeFindings(page)).toEqual([])
    expect([count('listTorrents'), count('listDownloaders')]).toEqual([reads, count('listDownloaders')])
    expect(reads).toBeLessThanOrEqual(3)

    const hide = (isHidden: boolean) =>
      page.evaluate(`(() => {
        Object.defineProperty(document, 'hidden', { configurable: true, value: ${isHidden} })
        document.dispatchEvent(new Event('visibilitychange'))
      })()`)
    await hide(true)
    await expect.poll(() => standIn.streams).toBe(0)
    await hide(false)
    await expect.poll(() => standIn.streams).toBe(1)

    // Where the server has too many to tell, the list is read in turns as before.
    standIn.refusals.set('streamTorrents', {
      status: 503,
      error: 'busy',
      reason: { kind: 'stream.too_many', limit: 16 },
    })
    await hide(true)
    await hide(false)
    await expect.poll(() => count('listTorrents'), { timeout: 15_000 }).toBeGreaterThan(reads + 1)
  })

  test('a file that is dropped on the page opens the form with it', async ({ expect }) => {
    const { page } = await open('#/torrents')
    await page.locator('table.torrents').waitFor()
    await page.evaluate(`(() => {
      const transfer = new DataTransfer()
      transfer.items.add(new File(['d4:infod4:name1:aee'], 'Dropped.torrent'))
      transfer.items.add(new File(['hello'], 'notes.txt'))
      const event = (name) => new DragEvent(name, { dataTransfer: transfer, bubbles: true, cancelable: true })
      document.body.dispatchEvent(event('dragover'))
      document.body.dispatchEvent(event('drop'))
    })()`)
    const dialog = page.getByRole('dialog', { name: 'Add torrents' })
    await dialog.getByText('Dropped.torrent').waitFor()
    expect(await dialog.innerText()).not.toContain('notes.txt')
    await dialog.getByRole('button', { name: 'Leave Dropped.torrent out' }).click()
    await expect.poll(() => dialog.innerText()).not.toContain('Dropped.torrent')
  })

  test('a torrent shows its files, trackers and peers, and is changed part by part', { tags: 'slow' }, async ({
    expect,
  }) => {
    const { page, standIn } = await open('#/torrents')
    await page.getByRole('button', { name: 'The.Salt.Road' }).first().click()
    const panel = page.getByRole('dialog')
    await panel.getByText('1,997 of 16.0').waitFor()
    await panel.getByText('14.25 copies').waitFor()
    // 200 shares of which a quarter is not here at all.
    expect(await panel.locator('.kv svg.meter rect.f').count()).toBe(150)
    for (const [part, told] of [
      ['Files 3', 'The.Salt.Road.S02E06.zh.srt'],
      ['Trackers 2', 'not authorised'],
      ['Peers 2', '192.0.2.41:51413'],
    ] as const) {
      await panel.getByRole('button', { name: part }).click()
      await panel.getByText(told).waitFor()
      expect(await axeFindings(page)).toEqual([])
    }
    await panel.getByRole('button', { name: 'Files 3' }).click()
    await panel.getByLabel('Priority of The.Salt.Road.S02E06/Sample/sample.mkv').selectOption('Normal')
    await panel.getByText('The priority was changed.').waitFor()
    expect(standIn.state.torrentDetails.files.map(({ priority }) => priority)).toEqual(['normal', 'high', 'normal'])

    await panel.getByRole('button', { name: 'Change', exact: true }).first().click()
    await panel.getByLabel('Upload limit').fill('ten')
    await panel.locator('form').getByRole('button', { name: 'Change' }).click()
    await panel.getByText('A whole number, or nothing.').waitFor()
    await panel.getByLabel('Upload limit').fill('512')
    await panel.getByLabel('Tags').fill('kept')
    await panel.getByLabel('Folder on the disk').fill('/volume2/kept')
    await panel.locator('form').getByRole('button', { name: 'Change' }).click()
    await panel.getByText('The limits were changed.').waitFor()
    const torrent = standIn.state.torrents.find(({ title }) => title.startsWith('The.Salt.Road'))
    expect(torrent).toMatchObject({ tags: 'kept', save_path: '/volume2/kept', category: 'tv' })
    expect(standIn.state.torrentDetails.upload_limit).toBe(524_288)
    await panel.getByLabel('Place in the queue').selectOption('First')
    await panel.getByText('It refused the request').waitFor()
    expect(await axeFindings(page)).toEqual([])
    await panel.getByRole('button', { name: 'Check the data again' }).click()
    await panel.getByText('The data is being checked.').waitFor()
    await panel.getByRole('button', { name: 'Facts' }).click()
    await panel.getByText('Checking').waitFor()
  })

  test('a torrent has a page of its own: what holds it up and helps, its parts, and what was done about it and why', async ({
    expect,
  }) => {
    const { page, standIn } = await open('#/torrents', {
      torrentEvents: [
        { at: now - 60, kind: 'pushed', site: 'shelf', source: 'filter_rule' },
        {
          ...{ at: now - 70, kind: 'found', site: 'shelf', by: 'New on shelf', rule: 'Season packs' },
          clauses: [{ asked: { field: 'per_day', op: 'at_most', value: 3 }, state: 'met' }],
        },
      ],
    })
    const held = standIn.state.torrents.find(({ condition }) => condition === 'tracker_error')
    if (held === undefined) throw new Error('none is held up')
    standIn.state.torrentDetails.availability = 0.9825
    await page
      .getByRole('button', { name: held.title.slice(0, 4) })
      .first()
      .click()
    await page.getByRole('dialog').getByRole('link', { name: 'Its page' }).click()
    await page.getByRole('heading', { name: held.title }).waitFor()
    expect(new URL(page.url()).hash).toBe(`#/torrents/${held.downloader_id}/${held.task_id}`)
    await page.getByText('1,962 of 1,997 pieces').waitFor()
    await page
      .locator('.note', { hasText: held.condition_said ?? '' })
      .getByRole('button')
      .click()
    await page.getByText('The trackers are being asked.').waitFor()
    expect(standIn.received.get('changeTorrents')).toEqual([
      {
        change: { kind: 'reannounce' },
        targets: [{ downloader_id: held.downloader_id, task_id: held.task_id }],
      },
    ])
    for (const [part, told] of [
      ['Files 3', 'The.Salt.Road.S02E06.zh.srt'],
      ['Trackers 2', 'not authorised'],
      ['Peers 2', '192.0.2.41:51413'],
      ['Change', 'Folder on the disk'],
      ['History', 'Found in a feed'],
    ] as const) {
      await page.getByRole('link', { name: part }).click()
      await page.getByText(told).first().waitFor()
      expect(await axeFindings(page)).toEqual([])
    }
    await page.getByRole('link', { name: 'Speed' }).click()
    await page.locator('svg.plot', { hasText: 'Since ' }).waitFor()
    expect(await page.locator('.key > *').allInnerTexts()).toEqual(['Down', 'Up'])
    expect(await axeFindings(page)).toEqual([])
    await page.getByRole('link', { name: 'History' }).click()
    await page.getByText('Why?').click()
    await page.getByText('Season packs').waitFor()
    await page.goBack()
    await page.locator('svg.plot').waitFor()
    await page.getByRole('button', { name: 'Remove, keep data…' }).click()
    await page.getByRole('dialog').getByRole('button', { name: 'Remove 1' }).click()
    await page.locator('table.torrents').waitFor()
    expect(standIn.state.torrents).not.toContain(held)
    await page.evaluate(`location.hash = '#/torrents/${held.downloader_id}/${held.task_id}'`)
    await page.getByText('This torrent is not there').waitFor()
  })

  test('its page steps through the list one came from, acts by keys, and chooses files by folder', {
    tags: 'slow',
  }, async ({ expect }) => {
    const { page, standIn } = await open('#/torrents?q=salt')
    const listed = standIn.state.torrents.filter(({ title }) => /salt/i.test(title))
    await page.locator('table.torrents .row-open').first().click()
    await page.getByRole('dialog').getByRole('link', { name: 'Its page' }).click()
    const others = page.getByRole('navigation', { name: 'Other torrents of the list' })
    await others.getByText(`1 of ${listed.length}`).waitFor()
    expect(await others.getByRole('button', { name: 'Previous' }).isDisabled()).toBe(true)
    const { torrentDetails: details } = standIn.state
    await page.getByText('2 of 3 chosen').waitFor()

    // What is asked of a folder is asked of all in it, with one question.
    const folder = 'The.Salt.Road.S02E06/'
    expect(await page.getByLabel(`Priority of ${folder}`, { exact: true }).inputValue()).toBe('')
    await page.getByLabel(`Priority of ${folder}`, { exact: true }).selectOption('High')
    await expect.poll(() => details.files.map(({ priority }) => priority)).toEqual(['high', 'high', 'high'])
    expect(standIn.received.get('changeTorrents')).toHaveLength(1)
    await page.getByText('3 of 3 chosen').waitFor()
    await page.getByLabel(`Load ${folder}Subs/`, { exact: true }).uncheck()
    await page.getByText('2 of 3 chosen').waitFor()
    await page.getByRole('button', { name: 'Subs', exact: true }).click()
    await expect.poll(() => page.getByText('The.Salt.Road.S02E06.zh.srt').count()).toBe(0)
    await page.getByRole('button', { name: 'Skipped 1' }).click()
    await page.getByText('The.Salt.Road.S02E06.zh.srt').waitFor()
    expect(await page.getByText('sample.mkv').count()).toBe(0)
    expect(await axeFindings(page)).toEqual([])

    await page.keyboard.press('c')
    await page.getByText('The data is being checked.').waitFor()
    await page.keyboard.press('Delete')
    await page.getByRole('dialog').getByRole('button', { name: 'Cancel' }).click()
    await page.getByRole('link', { name: 'All torrents' }).click()
    await page.locator('table.torrents').waitFor()
    expect(new URL(page.url()).hash).toBe('#/torrents?q=salt')
  })

  test('on a phone its page has what is done often at the thumb, and the rest behind one button', {
    tags: 'slow',
  }, async ({ expect }) => {
    const { standIn, page } = await open('#/more', {}, { viewport: { width: 390, height: 844 } })
    const [torrent] = standIn.state.torrents
    await page.evaluate(`location.hash = '#/torrents/${torrent?.downloader_id}/${torrent?.task_id}'`)
    const bar = page.getByRole('toolbar', { name: 'Actions' })
    await bar.waitFor()
    expect((await bar.getByRole('button').allInnerTexts()).map((text) => text.trim())).toEqual([
      'Pause',
      'Ask the trackers now',
      'Check the data again',
      'More',
    ])
    const box = await bar.boundingBox()
    expect(box?.y).toBeGreaterThan(700)
    await bar.getByRole('button', { name: 'More' }).click()
    expect(await page.getByRole('menuitem').allInnerTexts()).toEqual([
      'Save torrent file',
      'Remove, keep data…',
      'Delete with files…',
    ])
    expect(await axeFindings(page)).toEqual([])
    await page.getByRole('menuitem', { name: 'Delete with files…' }).click()
    await page.getByRole('dialog').getByRole('button', { name: 'Delete 1 with files' }).click()
    await page.locator('table.torrents').waitFor()
    expect(standIn.state.torrents).not.toContain(torrent)
  })
})
