/** Query parameters are validated, never clamped. A blank one counts as absent. */
import { succeed } from '#shared/kernel/result.ts'
import { type Answer, badRequest } from './failure.ts'

export type Parameters = Readonly<Record<string, readonly string[]>>

function single(parameters: Parameters, name: string): Answer<string | undefined> {
  const given = parameters[name] ?? []
  if (given.length > 1) return badRequest(`${name} may be given once`)
  return succeed(given[0])
}

export function integerParameter(
  parameters: Parameters,
  name: string,
  min: number,
  max: number,
): Answer<number | undefined> {
  const given = single(parameters, name)
  if (!given.ok) return given
  const raw = given.value
  if (raw === undefined || raw.trim() === '') return succeed(undefined)
  const value = Number(raw)
  if (!Number.isInteger(value) || value < min || value > max) {
    return badRequest(`${name} must be a whole number from ${min} to ${max}, not "${raw.slice(0, 80)}"`)
  }
  return succeed(value)
}

export function textParameter(parameters: Parameters, name: string, charsMax: number): Answer<string | undefined> {
  const given = single(parameters, name)
  if (!given.ok) return given
  if (given.value !== undefined && given.value.length > charsMax)
    return badRequest(`${name} may have at most ${charsMax} characters`)
  return given
}

/** `1` is on, absent is off; nothing else is taken for either. */
export function flagParameter(parameters: Parameters, name: string): Answer<boolean> {
  const given = single(parameters, name)
  if (!given.ok) return given
  if (given.value === undefined || given.value.trim() === '') return succeed(false)
  return given.value === '1' ? succeed(true) : badRequest(`${name} is 1 or absent, not "${given.value.slice(0, 80)}"`)
}
