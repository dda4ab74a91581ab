/** What is wrong with flags, variables or the file, by the name under which it was written. One line each, for a terminal. */

import { type FaultOf, sayBy } from '#shared/kernel/fault-words.ts'

interface InFile {
  readonly file: string
}

const sentences = {
  /** `reason`: the reader of flags. */
  flags: ({ reason }: { reason: string }) => `${reason}; --help lists what there is`,
  file_large: ({ file, bytesMax }: InFile & { bytesMax: number }) => `${file} is larger than ${bytesMax} bytes`,
  /** `cause`: the system's code. */
  file_unread: ({ file, cause }: InFile & { cause: string }) =>
    `${file} cannot be read (${cause === 'ENOENT' ? 'there is none' : cause})`,
  /** `reason`: the reader of the format. */
  syntax: ({ file, line, reason }: InFile & { line: number; reason: string }) => `${file}, line ${line}: ${reason}`,
  unknown: ({ file, name, near }: InFile & UnknownName) => `${file}: ${sayUnknown('setting', { name, near })}`,
  type: ({ file, name, takes }: InFile & { name: string; takes: SettingType }) => `${file}: ${name} is ${types[takes]}`,
  value: ({ name, takes, text }: { name: string; takes: string; text: string }) =>
    `${name} takes ${takes}, not ${JSON.stringify(text)}`,
  path_needs_node: ({ url }: { url: string }) =>
    `${url} has a path, which needs the runtime node: workerd serves at the root of a name alone`,
  paths_of_one_name: ({ urls: [one, other] }: { urls: readonly [string, string] }) =>
    `${one} and ${other} have the same name: there is one address under each`,
  workerd_uninstalled: '--runtime workerd needs a checkout of the sources: an installed package runs in Node alone',
}

/** What a line of the file holds. */
type SettingType = 'switch' | 'number' | 'text' | 'list'
const types: Readonly<Record<SettingType, string>> = {
  switch: 'true or false',
  number: 'a number',
  text: 'a text in quotation marks',
  list: 'a list of texts in brackets',
}

export interface UnknownName {
  readonly name: string
  /** One that it may have been meant for. */
  readonly near: string | undefined
}

function sayUnknown(what: 'field' | 'setting', { name, near }: UnknownName): string {
  return `there is no ${what} ${name}${near === undefined ? '' : `; did you mean ${near}?`}`
}

export type SettingsFault = FaultOf<typeof sentences>
export const saySettingsFault = sayBy(sentences)

const declarationSentences = {
  no_list: ({ list }: { list: string }) => `each of them begins with [[${list}]]`,
  too_many: ({ most }: { most: number }) => `there can be ${most} at most`,
  twice: 'another one before it has this name',
  unknown: (unknown: UnknownName) => sayUnknown('field', unknown),
  /** `reason`: the shape that the service has for it. */
  shape: ({ field, reason }: { field: string; reason: string }) => `${field}: ${reason}`,
  plain_secret: ({ field }: Field) => `${field}: say where it is, as { env = "NAME" } or { file = "PATH" }`,
  no_variable: ({ field, variable }: Field & { variable: string }) => `${field}: there is no variable ${variable}`,
  secret_large: ({ field, file, bytesMax }: Field & InFile & { bytesMax: number }) =>
    `${field}: ${file} is larger than ${bytesMax} bytes`,
  secret_empty: ({ field, file }: Field & InFile) => `${field}: ${file} is empty`,
  secret_unread: ({ field, file, cause }: Field & InFile & { cause: string }) =>
    `${field}: ${file} cannot be read (${cause === 'ENOENT' ? 'there is none' : cause})`,
}

interface Field {
  readonly field: string
}

/** What is wrong with one entry. */
export type EntryFault = FaultOf<typeof declarationSentences>

/** An entry of the file, by its place, that the service could not take. */
export interface DeclarationFault {
  readonly file: string
  readonly place: string
  readonly fault: EntryFault
}

export function sayDeclarationFault({ file, place, fault }: DeclarationFault): string {
  return `${file}: ${place}: ${sayBy(declarationSentences)(fault)}`
}
