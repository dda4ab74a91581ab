/** Searches of the agent: ripgrep knows the ignore rules and does not follow links. */
import { type Found, runRipgrep as once, type Search } from '../../ripgrep/run-ripgrep.ts'
import { searchKibMax, searchMsMax } from '../limits.ts'

type AgentSearch = Omit<Search, 'msMax' | 'kibMax'>

/**
 * A list of ignored files may be a link to something without an end, which is read until the memory is used up. A search
 * that this ended is made again without such lists.
 */
export async function runRipgrep(args: readonly string[], directory: string, search: AgentSearch): Promise<Found> {
  const bounded = { ...search, msMax: searchMsMax, kibMax: searchKibMax }
  const found = await once(args, directory, bounded)
  if (found !== 'out of memory') return found
  const again = await once(['--no-ignore', '--glob=!node_modules', ...args], directory, bounded)
  if (again !== 'out of memory') return again
  return { lines: [], isCut: false, isWhole: false, problem: 'The search took too much memory' }
}
