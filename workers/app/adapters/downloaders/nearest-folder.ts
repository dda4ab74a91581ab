import { foldersUpMax } from '../../limits.ts'

/** A folder that is not there yet will be made on the disk of the nearest one that is. */
export async function freeSpaceUp(
  folder: string,
  freeSpaceAt: (place: string) => Promise<number | undefined>,
): Promise<number | undefined> {
  let place = folder.replace(/(?<=[^\\/])[\\/]{1,8}$/, '')
  for (let steps = 0; steps <= foldersUpMax && place !== ''; steps += 1) {
    const bytes = await freeSpaceAt(place)
    if (bytes !== undefined) return bytes
    const end = Math.max(place.lastIndexOf('/'), place.lastIndexOf('\\'))
    place = end === 0 && place.length > 1 ? place.slice(0, 1) : place.slice(0, Math.max(0, end))
  }
  return undefined
}
