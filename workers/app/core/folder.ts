/** Whether two texts name the same folder: programs write it with or without an end, and some with the other slash. */
export function isSameFolder(one: string, other: string): boolean {
  return plainFolder(one) === plainFolder(other)
}

/** One way to write a folder. */
export function plainFolder(folder: string): string {
  return folder.replaceAll('\\', '/').replace(/(?<=[^/])\/{1,8}$/, '')
}
