import { passwordCharactersMin } from '../../limits.ts'

/** A hint by length only: length is what slows guessing down, and no rule about letters makes up for it. */
export type PasswordStrength = 'too-short' | 'fair' | 'good' | 'strong'
export function passwordStrength(password: string): PasswordStrength {
  if (password.length < passwordCharactersMin) return 'too-short'
  if (password.length < 14) return 'fair'
  return password.length < 20 ? 'good' : 'strong'
}
