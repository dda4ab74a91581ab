/** For the camera of a phone: an address as lines of a terminal, each of them two rows of the code. */
export async function phoneCode(address: string): Promise<readonly string[]> {
  const { encodeQR } = await import('qr')
  return encodeQR(address, 'ascii', { border: 2 }).trimEnd().split('\n')
}
