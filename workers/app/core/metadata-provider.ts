/** The metadata provider's usual places. Images lie on a server of their own, which asks for no key. */
export const usualMetadataAddresses = {
  api: 'https://api.themoviedb.org/3',
  images: 'https://image.tmdb.org/t/p',
} as const
