/** What the languages call the method that makes an instance; some call it as the type. */
export function constructorNames(type: { readonly name: string }): string[] {
  return ['constructor', '__init__', '__construct', 'initialize', type.name]
}
