/** Bounds the forms check before asking; the server has the last word. A test compares them with its own. */
export const passwordMin = 10
export const passwordMax = 256
export const tokenNameMax = 64
export const downloaderNameMax = 64
export const downloaderAddressMax = 512
export const credentialMax = 512

/** A hint by length only: length is what slows guessing down, and no rule about letters makes up for it. */
export type PasswordStrength = 'too-short' | 'fair' | 'good' | 'strong'
export function passwordStrength(password: string): PasswordStrength {
  if (password.length < passwordMin) return 'too-short'
  if (password.length < 14) return 'fair'
  return password.length < 20 ? 'good' : 'strong'
}
