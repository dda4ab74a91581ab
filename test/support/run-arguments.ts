/** Arguments of a program that runs named things: help is what there is, and whatever is wrong is said in words. */
import { type ParseArgsConfig, parseArgs } from 'node:util'

interface Named {
  readonly name: string
  readonly about: string
}

export function refuse(problem: string): never {
  process.stderr.write(`${problem}\n`)
  process.exit(2)
}

/** Its options, and those of the things that were named: all of them where none was. `kind`: what one is called, as `long run`. */
export function readRunArguments<T extends Named, O extends NonNullable<ParseArgsConfig['options']>>(
  things: readonly T[],
  { usage, kind, options }: { readonly usage: string; readonly kind: string; readonly options: O },
) {
  const known = things.map(({ name, about }) => `  ${name}  ${about}`).join('\n')
  const { values, positionals } = parsed(options, `${usage}\n${known}`)
  if ('help' in values && values['help'] === true) {
    process.stdout.write(`${usage}\n${known}\n`)
    process.exit(0)
  }
  const unknown = positionals.filter((name) => things.every((one) => one.name !== name))
  if (unknown.length > 0) refuse(`No ${kind} is called ${unknown.join(', ')}. There are:\n${known}`)
  return { values, chosen: things.filter(({ name }) => positionals.length === 0 || positionals.includes(name)) }
}

function parsed<O extends NonNullable<ParseArgsConfig['options']>>(options: O, usage: string) {
  try {
    return parseArgs({ allowPositionals: true, options: { ...options, help: { type: 'boolean', short: 'h' } } })
  } catch (error) {
    return refuse(`${error instanceof Error ? error.message : error}\n${usage}`)
  }
}
