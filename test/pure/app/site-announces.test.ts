/**
 * Channels that are known. The lines follow the layouts of https://github.com/autobrr/autobrr at
 * 489d8ddf9bb3c1c0e62b8c78f8535408f78131ca; titles and numbers are invented.
 */
import { describe, test } from 'vitest'
import { siteAnnouncesOf } from '../../../workers/app/adapters/sites/site-announces.ts'
import { readyDefinitions } from '../../../workers/app/adapters/sites/site-definitions.ts'
import { siteAnnounces } from '../../../workers/app/contract/site-announces.ts'
import { type AnnouncedEntry, parseAnnounceAddress, readAnnounce } from '../../../workers/app/core/feeds/announce.ts'
import announces from '../../../workers/app/definitions/announces.json' with { type: 'json' }

const title = 'Harbour Lights S02E03 1080p WEB-DL DDP5.1 H.264-QUAY'
const dotted = 'Harbour.Lights.2021.720p.BluRay.x264-QUAY'
const gib = 1024 ** 3
const sized = { title, category: 'TV', sizeBytes: 2.5 * gib }
const free = { ...sized, promotion: 'FREE' } as const
const billed = { ...sized, promotion: 'NONE' } as const

/** The layout that several sites of one software share. */
const named = (link: string, resolution: string, percent: string) =>
  `Category [TV] Type [WEB-DL] Name [${title}] ${resolution}Freeleech [${percent}] Internal [No] Double Upload [No] Size [2.5 GiB] Uploader [Anonymous] Url [${link}]`
const numbered = (leech: string) =>
  `0:2:${leech}:0:4711:2684354560:1774760500:203489|WEB-DL/1080p|2022|${title}|reader1`
const uploaded = (percent: string, before: string, after: string, host: string) =>
  `${before}[An anonymous user] has uploaded [${title}]. ${after}Category: [TV] Type: [WEB-DL] Resolution: [1080p] Size: [2.5 GiB] Freeleech: [${percent}] Link: [https://${host}/torrents/4711]`

/** What is said, and what has to be made of it beside the number, which is always the same. */
const said: Readonly<Record<string, readonly (readonly [string, Omit<AnnouncedEntry, 'torrentId'>])[]>> = {
  gazellegames: [
    [
      'reader1 :-: Windows :-: Harbour.Lights-QUAY in Harbour Lights [2016] ::English, Scene:: https://gazellegames.net/torrents.php?torrentid=4711 - adventure, casual;',
      { title: 'Harbour.Lights-QUAY in Harbour Lights [2016]', category: 'Windows' },
    ],
    [
      'reader1 :-: Windows :-: Harbour.Lights-QUAY in Harbour Lights [2016] ::English, Scene:: FREELEECH! :: https://gazellegames.net/torrents.php?torrentid=4711 - adventure;',
      { title: 'Harbour.Lights-QUAY in Harbour Lights [2016]', category: 'Windows' },
    ],
  ],
  redacted: [
    [
      'Harbour Lights - Quiet River [2008] [Single] - FLAC / Lossless / Log / 100% / Cue / CD - https://redacted.sh/torrents.php?id=8 / https://redacted.sh/torrents.php?action=download&id=4711 - folk',
      { title: 'Harbour Lights - Quiet River [2008] [Single] - FLAC / Lossless / Log / 100% / Cue / CD' },
    ],
  ],
  theoldschool: [
    [
      `[NEW] [TV] [${dotted}] [WEB-DL] [2.5 GiB] [0%] [pre 0h 1m 52s] par reader1 -> https://theoldschool.cc/torrents/4711`,
      { ...billed, title: dotted },
    ],
    [
      `[NEW] [TV] [${dotted}] [WEB] [2.5 GiB] [100%] par reader1 -> https://theoldschool.cc/torrents/4711`,
      { ...free, title: dotted },
    ],
  ],
  torrenthr: [
    [
      `Novi torrent uploadan -> Ime: ${dotted} .:. Kategorija: TV .:. Velicina: 2.5 GiB .:. URL: http://www.torrenthr.org/details.php?id=4711`,
      { ...sized, title: dotted },
    ],
  ],
  aither: [
    [named('https://aither.cc/torrents/download/4711', '', '0%'), billed],
    [named('https://aither.cc/torrents/download/4711', 'Resolution [1080p] ', '100%'), free],
  ],
  cathoderaytube: [
    [`New Torrent ~ ${title} ~ TV ~ 2.5 GiB ~ https://www.cathode-ray.tube/torrents.php?id=4711`, sized],
    [
      'New Torrent ~ Salt Road: Inland - Seasons 1-2 (2001-2002) ~ TV ~ 2.5 GiB ~ https://www.cathode-ray.tube/torrents.php?id=4711',
      { ...sized, title: 'Salt Road: Inland - Seasons 1-2 (2001-2002)' },
    ],
  ],
  darkpeers: [
    [
      `[New-upload]-[TV]-[WEB-DL]-[${title}]-[Size: 2.5 GiB]-[Link: https://darkpeers.org/torrents/4711]-[FL: 100%]-[DU: 0]`,
      free,
    ],
    [
      `[Featured]-[TV]-[WEB-DL]-[${title}]-[Size: 2.5 GiB]-[Link: https://darkpeers.org/torrents/4711]-[FL: 0%]-[DU: 1]`,
      billed,
    ],
  ],
  huno: [
    [
      `New in [TV]: ${title} [2.5 GiB] [FL: No] [INTERNAL: Yes] [https://hawke.uno/torrents/4711] by: [reader1]`,
      billed,
    ],
    [
      'New in [TV]: Quiet River (2022) S01E09 (1080p WEB-DL x265 English - QUAY)[REPACK] [2.5 GiB] [FL: Yes] [INTERNAL: No] [https://hawke.uno/torrents/4711] by: [reader1]',
      { ...free, title: 'Quiet River (2022) S01E09 (1080p WEB-DL x265 English - QUAY)[REPACK]' },
    ],
  ],
  infinityhd: [[numbered('0'), { title }]],
  lst: [
    [named('http://lst.gg/torrents/4711', 'Resolution [1080p] ', '0%'), billed],
    [named('http://lst.gg/torrents/4711', '', '100%'), free],
  ],
  luminarr: [
    [numbered('6'), { title }],
    [
      '1:1:1:0:4711:22018733375:1769458621:302699|WEB-DL/2160p||Salt Road 2016 2160p WEB-DL|reader1',
      { title: 'Salt Road 2016 2160p WEB-DL' },
    ],
  ],
  midnightscene: [[numbered('1'), { title }]],
  nordicbytes: [
    [
      `:[N]-[TV]-[Encode]-[720p]-[2.5 GiB]-[${dotted}]-[Anonymous]-[https://nordicbytes.org/torrents/4711]-[FL: 0]-[DU: 0];`,
      { ...sized, title: dotted },
    ],
  ],
  nordicquality: [
    [
      `[ NEW ][ TV ][ WEB-DL ][ ${dotted} ][ 2.5 GiB ][ https://nordicq.org/torrents/4711 ]`,
      { ...sized, title: dotted },
    ],
  ],
  onlyencodes: [[named('https://onlyencodes.cc/torrents/download/4711', 'Resolution [1080p] ', '0%'), billed]],
  rastastugan: [
    [named('https://rastastugan.org/torrents/4711', 'Resolution [2160p] ', '100%'), free],
    [named('https://rastastugan.org/torrents/4711', '', '0%'), billed],
  ],
  reelflix: [[named('https://reelflix.cc/torrents/download/4711', 'Resolution [1080p] ', '0%'), billed]],
  retromoviesclub: [
    [
      '[RMC] New Movie - Type: [Bluray Encode] Name: [Quiet River 1996 480p BluRay x264-QUAY] Size: [2.5 GiB] Uploader: [reader1] Url: [https://retro-movies.club/torrents/4711]',
      { ...sized, category: 'Movie', title: 'Quiet River 1996 480p BluRay x264-QUAY' },
    ],
  ],
  rockethd: [
    [
      `TV|WEB-DL|1080p|${title}|RLS:${dotted}|S:2.5GiB|TMDB:12345|U:reader1|O:INTERNAL|FL:0|DU:0 [https://rocket-hd.cc/torrents/4711]`,
      billed,
    ],
    [
      `TV|Encode||${title}|RLS:${dotted}|S:2.5GiB|TMDB:12345|U:reader1|O:NORMAL|FL:100|DU:0 [https://rocket-hd.cc/torrents/4711]`,
      free,
    ],
  ],
  seedpool: [
    [`【 TV 】 ${title} ჻ seedpool@https://seedpool.org/torrents/4711 ჻ 2.5\u00a0GiB`, sized],
    [`【 TV 】 ${title} ჻ seedpool@https://seedpool.org/torrents/4711 ჻ 2.5\u00a0GiB ჻ iNTERNAL ჻ ★`, sized],
  ],
  skipthecommercials: [
    [
      `[NEW] ${title} | TV | WEB-DL | 1080p | 2.5 GiB | reader1 | DL: https://skipthecommercials.xyz/torrents/4711`,
      sized,
    ],
    [
      `[NEW] ${title} | TV | WEB-DL | 1080p | 2.5 GiB | reader1 | SCENE | DL: https://skipthecommercials.xyz/torrents/4711`,
      sized,
    ],
  ],
  uploadcx: [
    [uploaded('25', '[upload.cx] - ', 'Grab it now! ', 'upload.cx'), billed],
    [uploaded('100', '[upload.cx] - ', 'Grab it now! ', 'upload.cx'), free],
  ],
  vietmediaf: [
    [named('https://tracker.vietmediaf.store/torrents/download/4711', 'Resolution [1080p] ', '0%'), billed],
    [named('https://tracker.vietmediaf.store/torrents/download/4711', '', '100%'), free],
    [
      named('https://tracker.vietmediaf.store/torrents/download/4711', '', '50%').replace(title, 'Salt Road [2022]'),
      { ...billed, title: 'Salt Road [2022]' },
    ],
  ],
  yuscene: [
    [uploaded('100', '', '', 'yu-scene.net'), free],
    [uploaded('0', '', '', 'yu-scene.net'), billed],
  ],
}

describe('the channels that are known', () => {
  test('are of named sites, complete, encrypted, and each has a line that proves it', ({ expect }) => {
    const ids = new Set(readyDefinitions.map(({ id }) => id))

    expect(siteAnnounces.safeParse(announces).error).toBeUndefined()
    expect(Object.keys(announces).filter((id) => !ids.has(id))).toEqual([])
    expect(Object.keys(said).sort()).toEqual(Object.keys(announces))
    expect(siteAnnouncesOf('13city')).toBeUndefined()
    expect(siteAnnouncesOf('toString')).toBeUndefined()
  })

  test.for(Object.entries(said).flatMap(([id, lines]) => lines.map(([line, entry]) => [id, line, entry] as const)))(
    '%s: %s',
    ([id, line, entry], { expect }) => {
      expect(readAnnounce(siteAnnouncesOf(id)?.line ?? '', line, 512)).toEqual({ torrentId: '4711', ...entry })
    },
  )

  test.for(Object.keys(said))('%s: what is no announce says nothing, and its server wants a name', (id, { expect }) => {
    const { line = '', server = '' } = siteAnnouncesOf(id) ?? {}

    for (const other of ['Welcome to the channel', 'reader1: is https://shelf.example/torrents/4711 | here?', ''])
      expect(readAnnounce(line, other, 512)).toBeUndefined()
    expect(parseAnnounceAddress(server).ok).toBe(false)
    expect(parseAnnounceAddress(server.replace('//', '//reader1:secret@')).ok).toBe(true)
  })
})
