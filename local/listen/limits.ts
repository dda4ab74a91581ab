/** Every bound of what our own servers on this machine have in common. */

/** Of a caller's own request id; the App's. */
export const requestIdCharactersMax = 128
