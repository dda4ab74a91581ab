/**
 * `npm test` leaves tests that are tagged `slow` to `npm run test:all`: those that take many seconds to repeat what a
 * quicker one shows, on another device, runtime or real program, or in more rounds. A file says it of all its tests by
 * `@module-tag slow`, a test by `{ tags: 'slow' }`, and one row of a table by this.
 */
export function slowIf(isSlow: boolean): { readonly tags?: 'slow' } {
  return isSlow ? { tags: 'slow' } : {}
}
