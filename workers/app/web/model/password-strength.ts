import { passwordCharactersMin } from '../../limits.ts'

/** A hint by length only: length is what slows guessing down, and no rule about letters makes up for it. */
export type PasswordStrength = 'too-short' | 'fair' | 'good' | 'strong'
export function passwordStrength(password: string): PasswordStrength {
  if (password.length < passwordCharactersMin) return 'too-short'
  if (password.length < 14) return 'fair'
  return password.length < 20 ? 'good' : 'strong'
}

/** What is typed of a new one. */
export interface NewPassword {
  readonly password: string
  readonly again: string
}

export const noPassword: NewPassword = { password: '', again: '' }

/** Too short, or not the same twice. */
export function isPasswordRefused({ password, again }: NewPassword): boolean {
  return passwordStrength(password) === 'too-short' || again !== password
}
