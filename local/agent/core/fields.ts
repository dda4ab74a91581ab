/** Small steps from what was written to what is kept. */
type Present<T> = { [K in keyof T]?: Exclude<T[K], undefined> }

/** Leaves out what is undefined: absent fields are absent on the wire. */
export function present<T extends object>(fields: T): Present<T> {
  return Object.fromEntries(Object.entries(fields).filter(([, value]) => value !== undefined)) as Present<T>
}

export function textField(fields: Readonly<Record<string, unknown>>, name: string): string | undefined {
  const value = fields[name]
  return typeof value === 'string' ? value : undefined
}

/** `provider/model`, where the model may itself hold slashes. */
export function splitModel(name: string): { id: string; providerID: string } {
  const slash = name.indexOf('/')
  return { providerID: name.slice(0, slash), id: name.slice(slash + 1) }
}
