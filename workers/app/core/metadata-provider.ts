/** The metadata provider's usual places. Images lie on a server of their own, which asks for no key. */
export const usualMetadataAddresses = {
  api: 'https://api.themoviedb.org/3',
  images: 'https://image.tmdb.org/t/p',
} as const

/** Where an account gets its key. */
export const metadataKeyPage = 'https://www.themoviedb.org/settings/api'

/** As the owner set them, or the usual ones. */
export function metadataAddresses(set: { readonly apiUrl: string; readonly imageUrl: string }) {
  return { api: set.apiUrl || usualMetadataAddresses.api, images: set.imageUrl || usualMetadataAddresses.images }
}
