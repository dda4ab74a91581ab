import { usualMetadataAddresses } from './vocabulary.ts'

/** As the owner set them, or the usual ones. */
export function metadataAddresses(set: { readonly apiUrl: string; readonly imageUrl: string }) {
  return { api: set.apiUrl || usualMetadataAddresses.api, images: set.imageUrl || usualMetadataAddresses.images }
}
