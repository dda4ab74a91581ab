/** What linters of OpenAPI documents find in nearly every one: said in sentences, with the place. */

interface Operation {
  readonly operationId?: string
  readonly summary?: string
  readonly security?: readonly object[]
  readonly parameters?: readonly { readonly in?: string; readonly name?: string; readonly $ref?: string }[]
  readonly responses?: Readonly<Record<string, { readonly description?: string }>>
}

export interface OpenApiDocument {
  readonly info: { readonly license?: object; readonly description?: string }
  readonly servers?: readonly { readonly url: string }[]
  readonly security?: readonly object[]
  readonly components?: {
    readonly securitySchemes?: Readonly<Record<string, object>>
    readonly parameters?: Readonly<Record<string, { readonly in: string; readonly name: string }>>
  }
  readonly paths: Readonly<Record<string, Readonly<Record<string, Operation>>>>
}

export function openApiFaults(document: OpenApiDocument): readonly string[] {
  const faults: string[] = []
  const schemes = Object.keys(document.components?.securitySchemes ?? {})
  const named = (security: readonly object[] | undefined) => (security ?? []).flatMap((one) => Object.keys(one))
  if ((document.servers ?? []).length === 0) faults.push('no servers')
  if (document.info.license === undefined) faults.push('no licence')
  if (document.info.description === undefined) faults.push('no description')
  const ids = new Map<string, string>()
  const shapes = new Map<string, string>()
  for (const [template, operations] of Object.entries(document.paths)) {
    const shape = template.replace(/\{[^}]*\}/g, '{}')
    if (shapes.has(shape)) faults.push(`${template} is the same as ${shapes.get(shape)}`)
    shapes.set(shape, template)
    if (template.includes('?') || (template !== '/' && template.endsWith('/'))) faults.push(`${template} is no path`)
    for (const [method, operation] of Object.entries(operations)) {
      const place = `${method} ${template}`
      const id = operation.operationId
      if (id === undefined) faults.push(`${place}: no operationId`)
      else if (ids.has(id)) faults.push(`${place}: operationId of ${ids.get(id)}`)
      else ids.set(id, place)
      if (operation.summary === undefined || operation.summary === '') faults.push(`${place}: no summary`)
      const security = operation.security ?? document.security
      if (security === undefined) faults.push(`${place}: nothing says who may`)
      for (const name of named(security)) if (!schemes.includes(name)) faults.push(`${place}: no entrance ${name}`)
      const statuses = Object.keys(operation.responses ?? {})
      // A stream that both sides speak on begins with 101.
      if (!statuses.some((status) => /^[123]/.test(status)))
        faults.push(`${place}: no answer that is none of a failure`)
      if (!statuses.some((status) => status.startsWith('4'))) faults.push(`${place}: no refusal`)
      for (const [status, answer] of Object.entries(operation.responses ?? {}))
        if ((answer.description ?? '') === '') faults.push(`${place}: ${status} is not described`)
      const wanted = [...template.matchAll(/\{([^}]+)\}/g)].map(([, name]) => name)
      const given = (operation.parameters ?? [])
        .map((one) =>
          one.$ref === undefined ? one : document.components?.parameters?.[one.$ref.split('/').at(-1) ?? ''],
        )
        .filter((one) => one?.in === 'path')
        .map((one) => one?.name)
      if ([...wanted].sort().join() !== [...given].sort().join())
        faults.push(`${place}: parts ${wanted.join()} and parameters ${given.join()}`)
    }
  }
  return faults
}
