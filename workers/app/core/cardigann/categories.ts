/** The common names of categories, and what a search may call them. */

const names = [
  'Console',
  'Console/NDS',
  'Console/PSP',
  'Console/Wii',
  'Console/XBox',
  'Console/XBox 360',
  'Console/Wiiware',
  'Console/XBox 360 DLC',
  'Console/PS3',
  'Console/Other',
  'Console/3DS',
  'Console/PS Vita',
  'Console/WiiU',
  'Console/XBox One',
  'Console/PS4',
  'Movies',
  'Movies/Foreign',
  'Movies/Other',
  'Movies/SD',
  'Movies/HD',
  'Movies/UHD',
  'Movies/BluRay',
  'Movies/3D',
  'Movies/DVD',
  'Movies/WEB-DL',
  'Audio',
  'Audio/MP3',
  'Audio/Video',
  'Audio/Audiobook',
  'Audio/Lossless',
  'Audio/Other',
  'Audio/Foreign',
  'PC',
  'PC/0day',
  'PC/ISO',
  'PC/Mac',
  'PC/Mobile-Other',
  'PC/Games',
  'PC/Mobile-iOS',
  'PC/Mobile-Android',
  'TV',
  'TV/WEB-DL',
  'TV/Foreign',
  'TV/SD',
  'TV/HD',
  'TV/UHD',
  'TV/Other',
  'TV/Sport',
  'TV/Anime',
  'TV/Documentary',
  'XXX',
  'XXX/DVD',
  'XXX/WMV',
  'XXX/XviD',
  'XXX/x264',
  'XXX/UHD',
  'XXX/Pack',
  'XXX/ImageSet',
  'XXX/Other',
  'XXX/SD',
  'XXX/WEB-DL',
  'Books',
  'Books/Mags',
  'Books/EBook',
  'Books/Comics',
  'Books/Technical',
  'Books/Other',
  'Books/Foreign',
  'Other',
  'Other/Misc',
  'Other/Hashed',
]

/** In small letters: definitions differ in that. */
export const commonCategories: ReadonlySet<string> = new Set(names.map((name) => name.toLowerCase()))

/** The words of our searches. The first that fits names the category; `movie` and `tv` hold all below them. */
const searchWords: readonly [RegExp, readonly string[]][] = [
  [/^tv\/anime$/i, ['animation', 'tv']],
  [/^tv\/documentary$/i, ['documentary', 'tv']],
  [/^tv/i, ['tv']],
  [/^movies/i, ['movie']],
  [/^audio\/audiobook$/i, ['book']],
  [/^audio/i, ['music']],
  [/^books/i, ['book']],
  [/^(?:console|pc\/games)/i, ['game']],
  [/^pc/i, ['software']],
]

/** Names a search may use, each with the site's own category ids. */
export function searchCategories(
  mappings: readonly { readonly id: string; readonly name: string }[],
): Readonly<Record<string, readonly string[]>> {
  const found = new Map<string, Set<string>>()
  for (const { id, name } of mappings) {
    for (const word of searchWords.find(([pattern]) => pattern.test(name))?.[1] ?? []) {
      const ids = found.get(word) ?? new Set()
      found.set(word, ids.add(id))
    }
  }
  return Object.fromEntries([...found].map(([word, ids]) => [word, [...ids]]))
}
