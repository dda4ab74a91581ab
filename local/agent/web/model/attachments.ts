/** What goes with a prompt beside its text: files of the project that it names with `@`, and images that were put in. */
import { filesNamed } from '../../core/named-files.ts'
import type { Prompt } from '../../core/session/message.ts'

export interface PromptImage {
  readonly name: string
  /** `data:` with base64. */
  readonly uri: string
}

export interface PromptPart {
  readonly uri: string
  readonly name?: string
}

/** What models take as an image; the server says the same of what it is sent. */
const imageTypes = ['image/png', 'image/jpeg', 'image/gif', 'image/webp']
/** 5 MiB once it is base64: larger ones the model would not be shown. */
export const imageBytesMax = 3_932_160
/** Of one prompt, together. */
export const imagesMax = 6

/** The name that is being written at the end of this text, after `@`. */
export function nameBeingTyped(before: string): string | undefined {
  return /(?:^|\s)@([^\s"]*)$/.exec(before)?.[1]
}

/** The text with that name made whole, and where one goes on writing: below a folder, or behind a file. */
export function withName(before: string, after: string, path: string): { readonly text: string; readonly at: number } {
  const start = before.lastIndexOf('@')
  const name = /\s/.test(path) ? `@"${path}"` : `@${path}`
  const whole = `${before.slice(0, start)}${name}${path.endsWith('/') ? '' : ' '}`
  return { text: whole + after.trimStart(), at: whole.length }
}

/** Files that were chosen and are still named in the text, and the images. */
export function partsOf(
  text: string,
  directory: string,
  chosen: ReadonlySet<string>,
  images: readonly PromptImage[],
): readonly PromptPart[] {
  const named = new Set(filesNamed(text))
  const kept = [...chosen].filter((path) => named.has(path))
  return [...kept.map((path) => ({ uri: addressOf(`${directory}/${path}`) })), ...images]
}

/** The images of a prompt that was sent. */
export function imagesOf({ files = [] }: Prompt): readonly PromptImage[] {
  return files
    .filter(({ uri, mime }) => uri.startsWith('data:') && imageTypes.includes(mime))
    .map(({ uri, name = '' }) => ({ uri, name }))
}

/** Its files, as its text names them. */
export function pathsOf({ files = [] }: Prompt, directory: string): readonly string[] {
  const below = addressOf(`${directory}/`)
  return files.filter(({ uri }) => uri.startsWith(below)).map(({ uri }) => decodeURIComponent(uri.slice(below.length)))
}

/** Of a full path: everything that an address reads otherwise is written by its number. */
function addressOf(full: string): string {
  return `file://${full.split('/').map(encodeURIComponent).join('/')}`
}

export type ImageProblem = 'type' | 'size' | 'count'

export function imageProblem(
  file: { readonly type: string; readonly size: number },
  held: number,
): ImageProblem | undefined {
  if (!imageTypes.includes(file.type)) return 'type'
  if (file.size > imageBytesMax) return 'size'
  return held >= imagesMax ? 'count' : undefined
}
