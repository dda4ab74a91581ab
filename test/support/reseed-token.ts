/** Opens the stand-in of the reseed service, in the form of its tokens. */
export const reseedToken = `IYUU1T${'9c'.repeat(20)}`
