import { describe, test } from 'vitest'
import { addQualityProfile } from '../../../../workers/app/contract/console-subscriptions.ts'
import {
  asDefault,
  moved,
  type ProfileDraft,
  profileDraftOf,
  readProfile,
} from '../../../../workers/app/web/model/profile-form.ts'
import { inventedProfiles } from '../../../support/invented-subscriptions.ts'

const empty: ProfileDraft = { ...profileDraftOf(undefined), name: 'Mine' }

describe('the form of a quality profile', () => {
  test.for(inventedProfiles().map((profile) => [profile.name, profile] as const))(
    'shows %s as it is stored, and sends it back unchanged',
    ([, profile], { expect }) => {
      const { body, faults } = readProfile(profileDraftOf(profile))
      expect([...faults]).toEqual([])
      expect({ id: profile.id, ...body }).toEqual(profile)
      expect(asDefault(profile)).toEqual({ ...body, default: true })
    },
  )

  test('reads lines as words, each once, and numbers as they are written', ({ expect }) => {
    const { body } = readProfile({
      ...empty,
      name: ' Mine ',
      required: ' DoVi P5 \n\nHDR\nHDR\n',
      minGib: '1.5',
      maxGib: '',
      minSeeders: '3',
    })
    expect(body).toMatchObject({
      name: 'Mine',
      required_words: ['DoVi P5', 'HDR'],
      refused_words: [],
      min_gib: 1.5,
      max_gib: 0,
      min_seeders: 3,
    })
  })

  const lines = (count: number, length = 1) =>
    Array.from({ length: count }, (_, at) => String.fromCodePoint(0x4e00 + at).repeat(length)).join('\n')

  test.for<readonly [what: string, draft: Partial<ProfileDraft>, faults: readonly string[]]>([
    [
      'everything at its bound',
      {
        name: 'n'.repeat(64),
        required: lines(20),
        refused: lines(1, 64),
        minGib: '1024',
        maxGib: '1024',
        minSeeders: '100000',
      },
      [],
    ],
    ['no name', { name: ' ' }, ['name']],
    ['a long name', { name: 'n'.repeat(65) }, ['name']],
    ['no resolution', { resolutions: [] }, ['resolutions']],
    ['a word too many', { required: lines(21) }, ['required']],
    ['a word too long', { refused: lines(1, 65) }, ['refused']],
    ['no number', { minGib: '1,5', maxGib: 'x' }, ['minGib', 'maxGib']],
    ['less than nothing', { minGib: '-1' }, ['minGib']],
    ['more than the bound', { maxGib: '1024.1' }, ['maxGib']],
    ['the least above the most', { minGib: '3', maxGib: '2' }, ['gibOrder']],
    ['the least without a most', { minGib: '3', maxGib: '0' }, []],
    ['half a seeder', { minSeeders: '1.5' }, ['minSeeders']],
    ['too many seeders', { minSeeders: '100001' }, ['minSeeders']],
    ['as many sites as can be searched', { sites: Array.from({ length: 100 }, (_, at) => `s${at}`) }, []],
    ['a site too many', { sites: Array.from({ length: 101 }, (_, at) => `s${at}`) }, ['sites']],
  ])('%s is judged as the server judges it', ([, draft, faults], { expect }) => {
    const read = readProfile({ ...empty, ...draft })
    expect([...read.faults]).toEqual(faults)
    expect(addQualityProfile.body?.safeParse(read.body).success).toBe(faults.length === 0)
  })

  test.for([
    ['1080p', -1, ['1080p', '2160p', '720p']],
    ['1080p', 1, ['2160p', '720p', '1080p']],
    ['2160p', -1, ['2160p', '1080p', '720p']],
    ['720p', 1, ['2160p', '1080p', '720p']],
    ['480p', 1, ['2160p', '1080p', '720p']],
  ] as const)('%s moved by %i makes %j', ([one, by, wanted], { expect }) => {
    expect(moved(['2160p', '1080p', '720p'], one, by)).toEqual(wanted)
  })
})
