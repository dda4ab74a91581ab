/** What the owner's bounds in GiB are counted in. */
export const gibBytes = 1024 ** 3
