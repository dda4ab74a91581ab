// The host under the pinned Node. Plain JavaScript, so that compiled code of the last start is found before the first file
// that needs compiling is read: a third of a start is the compiler's.
import module from 'node:module'
import os from 'node:os'
import { compiledFolder } from '../bin/kept-folder.mjs'

const folder = compiledFolder(process.env, os.homedir())
if (folder !== undefined) module.enableCompileCache(folder)
await import('./serve.ts')
