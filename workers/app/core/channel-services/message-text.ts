/** A message as services want it, and what their answers say. */
import { byteLength, cutToBytes } from '../assistant/tool-output.ts'
import type { ServiceMessage } from './service.ts'

const mark = '…'

/** For a service without titles. */
export function wholeOf({ title, text }: ServiceMessage): string {
  return [title, text].filter((part) => part !== '').join('\n\n')
}

/** For a service that takes no message without a text: a title alone is the text. */
export function textOf({ title, text }: ServiceMessage): string {
  return text === '' ? title : text
}

/** At most so many bytes of UTF-8, with a mark where something is missing. */
export function withinBytes(text: string, bytesMax: number): string {
  return byteLength(text) <= bytesMax ? text : `${cutToBytes(text, bytesMax - byteLength(mark))}${mark}`
}

/** At most so many units of UTF-16, in which an emoji is two, with a mark where something is missing. */
export function withinUnits(text: string, unitsMax: number): string {
  if (text.length <= unitsMax) return text
  const kept = text.slice(0, unitsMax - mark.length)
  return `${kept.isWellFormed() ? kept : kept.slice(0, -1)}${mark}`
}

/** What a service said, by the names of it; nothing where it is no JSON object. */
export function saidIn(text: string): Readonly<Record<string, unknown>> {
  try {
    const value: unknown = JSON.parse(text)
    return typeof value === 'object' && value !== null && !Array.isArray(value)
      ? (value as Record<string, unknown>)
      : {}
  } catch {
    return {}
  }
}
