/** Programs that tests start find what earlier ones compiled: half of what a start of one from its sources costs. */
import path from 'node:path'

export const keptCode = {
  NODE_COMPILE_CACHE: path.resolve(import.meta.dirname, '../../node_modules/.cache/compiled'),
}
