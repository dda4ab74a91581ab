// The code viewer behind its door, under the pinned Node. Plain JavaScript, so that compiled code of the last start is found
// before the first file that needs compiling is read: whoever asks first waits for this process to begin.
import { enableCompileCache } from 'node:module'
import os from 'node:os'
import { compiledFolder } from '../bin/kept-folder.mjs'

const folder = compiledFolder(process.env, os.homedir())
if (folder !== undefined) enableCompileCache(folder)
await import('./viewer-behind-door.ts')
