import { describe, test } from 'vitest'
import { isPreviewVersion, isVersion, newerReleases, type Release } from '../../../workers/app/core/release.ts'

const release = (version: string, isPreview = isPreviewVersion(version)): Release => ({
  version,
  name: version,
  publishedAtUnix: 0,
  url: '',
  changelog: '',
  isPreview,
})
const newer = (current: string, withPreviews: boolean, ...versions: string[]) =>
  newerReleases(
    versions.map((version) => release(version)),
    current,
    withPreviews,
  ).map(({ version }) => version)

describe('a version', () => {
  test.for([
    ['1.2.3', true],
    ['v1.2.3', true],
    ['1.2.3-rc.1+build.5', true],
    ['1.2', false],
    ['V1.2.3', false],
    ['1.2.3-', false],
    ['1.2.3-a..b', false],
    ['nightly', false],
    ['', false],
    [`1.2.${'9'.repeat(10)}`, false],
  ] as const)('%s is one: %s', ([text, expected], { expect }) => {
    expect(isVersion(text)).toBe(expected)
  })

  test('is a preview by what stands behind its dash', ({ expect }) => {
    expect(['1.0.0', '1.0.0+dev', '1.0.0-alpha', 'v1.0.0-rc.1', 'nightly'].map(isPreviewVersion)).toEqual([
      false,
      false,
      true,
      true,
      false,
    ])
  })
})

describe('newer releases', () => {
  test('come newest first, in the order of semver', ({ expect }) => {
    const ordered = [
      '2.0.0',
      '1.10.0',
      '1.9.10',
      '1.9.9',
      '1.0.0',
      '1.0.0-rc.1',
      '1.0.0-beta.11',
      '1.0.0-beta.2',
      '1.0.0-beta',
      '1.0.0-alpha.beta',
      '1.0.0-alpha.1',
      '1.0.0-alpha',
    ]

    expect(newer('0.9.0', true, ...ordered.toReversed())).toEqual(ordered)
  })

  test('leave previews out unless they are wanted, by mark or by name', ({ expect }) => {
    const all = [release('1.1.0', true), release('1.2.0-rc.1'), release('1.0.1')]

    expect(newerReleases(all, '1.0.0', false).map(({ version }) => version)).toEqual(['1.0.1'])
    expect(newerReleases(all, '1.0.0', true)).toHaveLength(3)
  })

  test('are not the running one, whatever is built into its name', ({ expect }) => {
    expect(newer('1.0.0', true, 'v1.0.0', '1.0.0+build', '1.0.0-rc.1', '0.9.9')).toEqual([])
    expect(newer('1.0.0-rc.1', true, '1.0.0', '1.0.0-rc.2', '1.0.0-rc.1')).toEqual(['1.0.0', '1.0.0-rc.2'])
  })

  test('do not exist for a build that is no version', ({ expect }) => {
    expect(newer('dev', true, '1.0.0')).toEqual([])
  })
})
