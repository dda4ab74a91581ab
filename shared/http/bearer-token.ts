/** The credential of an `Authorization: Bearer …` header, or undefined for any other header or none. */
export function bearerToken(header: string | undefined): string | undefined {
  if (header === undefined) return undefined
  const match = /^bearer +([\x21-\x7e]+) *$/i.exec(header)
  return match?.[1]
}
