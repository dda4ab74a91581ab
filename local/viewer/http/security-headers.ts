import { pagePolicy } from '../../pages/pages.ts'

/** Sent with every answer, whoever makes it. */
export const securityHeaders: Readonly<Record<string, string>> = {
  'X-Content-Type-Options': 'nosniff',
  'X-Frame-Options': 'DENY',
  'Referrer-Policy': 'no-referrer',
  'Content-Security-Policy': pagePolicy,
}
