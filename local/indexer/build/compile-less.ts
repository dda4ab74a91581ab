import { setFlagsFromString } from 'node:v8'

/**
 * For a process that builds an index: code is compiled for long use only once it ran very often. Nearly all of a build is
 * many small functions, and compiling them so took a sixth of it. An engine that does not know the setting passes it over.
 */
export function compileLess(): void {
  setFlagsFromString('--invocation-count-for-turbofan=20000')
}
