// Plain JavaScript: it is read before anything that has to be compiled.
import { homedir } from 'node:os'
import path from 'node:path'

/** Where the server keeps everything, unless a flag says otherwise. */
export function dataFolderOf(environment) {
  const own = environment.SVC_DATA_DIR ?? ''
  if (own !== '') return path.resolve(own)
  const shared = environment.XDG_DATA_HOME ?? ''
  return path.join(shared === '' ? path.join(homedir(), '.local', 'share') : shared, 'svc')
}

/** Where it keeps what a start compiled. */
export function compiledFolderOf(dataFolder) {
  return path.join(dataFolder, 'compiled')
}
