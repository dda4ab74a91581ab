/** Small steps from what was written to what is kept. */
type Present<T> = { [K in keyof T as undefined extends T[K] ? never : K]: T[K] } & {
  [K in keyof T as undefined extends T[K] ? K : never]?: Exclude<T[K], undefined>
}

/** Leaves out what is undefined: absent fields are absent on the wire. */
export function present<T extends object>(fields: T): Present<T> {
  return Object.fromEntries(Object.entries(fields).filter(([, value]) => value !== undefined)) as Present<T>
}

/** `provider/model`, where the model may itself hold slashes. */
export function splitModel(name: string, variant?: string): { id: string; providerID: string; variant?: string } {
  const slash = name.indexOf('/')
  return { providerID: name.slice(0, slash), id: name.slice(slash + 1), ...present({ variant }) }
}
