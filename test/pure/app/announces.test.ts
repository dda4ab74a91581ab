/** Lines of channels. The forms follow habits of site software; names, titles and numbers are invented. */
import { describe, test } from 'vitest'
import { readIrcLine } from '../../../local/announces/irc-line.ts'
import {
  parseAnnounceAddress,
  plainLine,
  readAnnounce,
  readAnnounceLine,
} from '../../../workers/app/core/feeds/announce.ts'

const link = 'https://shelf.example/details.php?id=4711&hit=1'

describe('a line of a channel', () => {
  test.for<[string, string, string, object | undefined]>([
    [
      'with colours',
      'New Torrent: {title} | {category} | {size} | Freeleech: {free} | {link}',
      `\x0304New Torrent:\x0f \x02Harbour.Lights.2021.1080p-QUAY\x02 | Movies | 10.5 GiB | Freeleech: Yes | ${link}`,
      {
        torrentId: '4711',
        title: 'Harbour.Lights.2021.1080p-QUAY',
        category: 'Movies',
        sizeBytes: 10.5 * 1024 ** 3,
        promotion: 'FREE',
      },
    ],
    [
      'that is billed',
      '{title} [{free}] {link}',
      `Quiet River [no] ${link}`,
      { torrentId: '4711', title: 'Quiet River', promotion: 'NONE' },
    ],
    [
      'whose promotion is a percentage',
      '{title} FL:{free}| {link}',
      `Quiet River FL:100| ${link}`,
      { torrentId: '4711', title: 'Quiet River', promotion: 'FREE' },
    ],
    [
      'whose promotion is a part',
      '{title} FL:{free}| {link}',
      `Quiet River FL:10| ${link}`,
      { torrentId: '4711', title: 'Quiet River', promotion: 'NONE' },
    ],
    [
      'by its number',
      'Salt Road ({id}): {title}',
      'Salt Road (815): Northern Passage',
      { torrentId: '815', title: 'Northern Passage' },
    ],
    [
      'with what is of no interest',
      '<{any}> {title} - {link}',
      `<TV :: HD> Film - Part 2 - ${link}`,
      { torrentId: '4711', title: 'Film' },
    ],
    ['of another kind', 'New: {title} | {link}', 'Welcome to the channel', undefined],
    ['without a number', 'New: {title} | {link}', 'New: Film | https://shelf.example/rules.php', undefined],
    ['with a number that is none', '{title} {id}.', 'Film seven.', undefined],
    ['without a title', 'New:{title}| {id}', 'New:| 7', undefined],
    ['that begins otherwise', 'New: {title} | {id}', 'Old New: Film | 7', undefined],
  ])('%s', ([, line, said, entry], { expect }) => {
    const read = readAnnounce(line, said, 512)
    if (entry === undefined) expect(read).toBeUndefined()
    else expect(read).toEqual(entry)
  })

  test.for<[string, boolean]>([
    ['{title} {id}', true],
    ['{title} {link}', true],
    ['{title}{id}', false],
    ['{title}', false],
    ['{id} new', false],
    ['{title} {id} {mood}', false],
    ['', false],
  ])('is described by %j: %s', ([line, is], { expect }) => {
    expect(readAnnounceLine(line) !== undefined).toBe(is)
  })

  test('takes a time that grows with it and no faster', ({ expect }) => {
    const line = `${'{any} a '.repeat(50)}{title} | {id}`
    expect(readAnnounce(line, 'a '.repeat(200_000), 512)).toBeUndefined()
  })

  test('loses the marks of clients', ({ expect }) => {
    expect(plainLine('\x0304,12red\x03 \x04ff0000x\x04 \x1dleaning\x1d\x16\x11')).toBe('red x leaning')
  })
})

describe('the address of a server', () => {
  test.for<[string, string | undefined]>([
    ['ircs://reader:secret@irc.example:6697/#announce', 'ircs://reader:secret@irc.example:6697'],
    ['irc://reader@irc.example', 'irc://reader@irc.example'],
    ['ircs://irc.example', undefined],
    ['https://reader:secret@irc.example', undefined],
    ['irc.example', undefined],
  ])('%s', ([text, address], { expect }) => {
    const parsed = parseAnnounceAddress(text)
    expect(parsed.ok ? parsed.value : undefined).toBe(address)
  })
})

test('a line of the protocol is read with tags, without a sender and with nothing after the colon', ({ expect }) => {
  expect(readIrcLine('@time=1;x=y :Herald!u@h PRIVMSG #a :New: one | two')).toEqual({
    nick: 'Herald',
    command: 'PRIVMSG',
    parameters: ['#a', 'New: one | two'],
  })
  expect(readIrcLine('ping :abc')).toEqual({ nick: '', command: 'PING', parameters: ['abc'] })
  expect(readIrcLine(':irc.example 001 reader :')).toEqual({
    nick: 'irc.example',
    command: '001',
    parameters: ['reader', ''],
  })
})
