/** Bounds the forms check before asking; the server has the last word. A test compares them with its own. */
export const passwordMin = 10
export const passwordMax = 256
export const tokenNameMax = 64
export const deviceNameMax = 64
export const passkeyNameMax = 64
export const downloaderNameMax = 64
export const downloaderAddressMax = 512
export const credentialMax = 512
export const siteNameMax = 64
export const siteDisplayNameMax = 64
export const siteAddressMax = 512
export const siteCredentialMax = 8192
export const siteUserAgentMax = 400
export const siteOverridesMax = 16 * 1024
export const inactivityDaysMax = 3650
export const capacityGibMax = 1024 * 1024
export const siteIntervalMsMax = 60_000
export const utcOffsetMinutesMax = 840
export const siteNamePattern = /^[a-z0-9][a-z0-9._-]{0,63}$/
export const minFreeGibMax = 1024 * 1024
export const pushTitleMax = 512
export const pushCategoryMax = 128
export const pushTagsMax = 255
export const savePathMax = 1024
export const libraryNameMax = 64
export const libraryPathMax = 512
export const serviceAddressMax = 512
export const serviceKeyMax = 1024
export const repositoryMax = 140
export const templateTitleMax = 1000
export const brushTaskNameMax = 64
export const brushMinutesMin = 5
export const brushMinutesMax = 24 * 60
export const brushActiveMax = 500
export const brushDownloadingMax = 100
export const brushSizeGibMax = 1024 * 1024
export const brushNewPerRunMax = 20
export const brushHoursMin = 0.001
export const brushHoursMax = 365 * 24
export const brushPeersMax = 100_000
export const brushRatioMax = 10_000
export const brushWordsMax = 50
export const brushWordMax = 64
export const channelNameMax = 64
export const channelAddressMax = 1024
export const channelSecretMax = 512
export const channelHeaderMax = 64
export const channelChatMax = 128
export const messageMax = 4000
export const modelNameMax = 200
export const seasonNumberMax = 200
export const profileNameMax = 64
export const profileWordsMax = 20
export const profileWordMax = 64
export const profileGibMax = 1024
export const profileSeedersMax = 100_000
export const searchedSitesMax = 100

/** A hint by length only: length is what slows guessing down, and no rule about letters makes up for it. */
export type PasswordStrength = 'too-short' | 'fair' | 'good' | 'strong'
export function passwordStrength(password: string): PasswordStrength {
  if (password.length < passwordMin) return 'too-short'
  if (password.length < 14) return 'fair'
  return password.length < 20 ? 'good' : 'strong'
}
