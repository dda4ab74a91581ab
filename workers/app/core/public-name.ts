/** A name that the whole internet knows: no number, nothing of this network. */
export function isPublicName(name: string): boolean {
  return /\.[a-z][a-z0-9-]*$/i.test(name) && !/\.(?:local|localhost|internal|lan|home|arpa|test|onion)$/i.test(name)
}
