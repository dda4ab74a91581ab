import { homedir } from 'node:os'
import path from 'node:path'

/** Where the server keeps everything, unless a flag says otherwise. */
export function dataFolderOf(environment: Readonly<Record<string, string | undefined>>): string {
  const own = environment['SVC_DATA_DIR'] ?? ''
  if (own !== '') return path.resolve(own)
  const shared = environment['XDG_DATA_HOME'] ?? ''
  return path.join(shared === '' ? path.join(homedir(), '.local', 'share') : shared, 'svc')
}
