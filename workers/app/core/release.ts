/** Released versions of this program, and which of them are newer than the one that runs. */
import { usualReleaseAddress } from './vocabulary.ts'

/** Where the releases of `owner/name` are listed. */
export function releaseListAddress(place: { readonly repository: string; readonly apiUrl: string }): string {
  return `${place.apiUrl || usualReleaseAddress}/repos/${place.repository}/releases`
}

export interface Release {
  readonly version: string
  readonly name: string
  readonly publishedAtUnix: number
  /** Empty when the list names no web address. */
  readonly url: string
  readonly changelog: string
  readonly isPreview: boolean
}

interface Version {
  readonly numbers: readonly number[]
  /** Identifiers behind the dash; none for a full release. */
  readonly preview: readonly string[]
}

const versionPattern =
  /^v?(\d{1,9})\.(\d{1,9})\.(\d{1,9})(?:-([0-9A-Za-z-]+(?:\.[0-9A-Za-z-]+)*))?(?:\+[0-9A-Za-z.-]+)?$/

/** A version as semver writes it, with or without a `v` before it. Undefined for anything else. */
function readVersion(text: string): Version | undefined {
  const parts = versionPattern.exec(text)
  if (parts === null) return undefined
  const [, major, minor, patch, preview] = parts
  return { numbers: [major, minor, patch].map(Number), preview: preview === undefined ? [] : preview.split('.') }
}

export function isVersion(text: string): boolean {
  return readVersion(text) !== undefined
}

export function isPreviewVersion(text: string): boolean {
  return (readVersion(text)?.preview.length ?? 0) > 0
}

/** semver's precedence. */
function compareVersions(left: Version, right: Version): number {
  for (const [at, number] of left.numbers.entries()) {
    const difference = number - (right.numbers[at] ?? 0)
    if (difference !== 0) return difference
  }
  // What has nothing behind the dash is the release itself, and newer than its previews.
  if (left.preview.length === 0 || right.preview.length === 0) return right.preview.length - left.preview.length
  for (const [at, one] of left.preview.entries()) {
    const other = right.preview[at]
    if (other === undefined) return 1
    const difference = compareIdentifiers(one, other)
    if (difference !== 0) return difference
  }
  return left.preview.length - right.preview.length
}

function compareIdentifiers(left: string, right: string): number {
  const [isNumber, isOtherNumber] = [left, right].map((text) => /^\d+$/.test(text))
  if (isNumber && isOtherNumber) return Number(left) - Number(right)
  if (isNumber !== isOtherNumber) return isNumber ? -1 : 1
  if (left === right) return 0
  return left < right ? -1 : 1
}

/** Newest first. A running version that is no version has no newer one. */
export function newerReleases(all: readonly Release[], current: string, withPreviews: boolean): Release[] {
  const running = readVersion(current)
  if (running === undefined) return []
  return all
    .flatMap((release) => {
      const version = readVersion(release.version)
      return version === undefined || (release.isPreview && !withPreviews) ? [] : [{ release, version }]
    })
    .filter(({ version }) => compareVersions(version, running) > 0)
    .sort((one, other) => compareVersions(other.version, one.version))
    .map(({ release }) => release)
}
