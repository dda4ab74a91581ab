/** As the documents of robots write it: HMAC with SHA-256, in Base64. */
export async function base64Hmac(key: string, text: string): Promise<string> {
  const bytes = (of: string) => new TextEncoder().encode(of)
  const imported = await crypto.subtle.importKey('raw', bytes(key), { name: 'HMAC', hash: 'SHA-256' }, false, ['sign'])
  return btoa(String.fromCharCode(...new Uint8Array(await crypto.subtle.sign('HMAC', imported, bytes(text)))))
}
