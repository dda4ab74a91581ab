import { mkdtemp, rm } from 'node:fs/promises'
import path from 'node:path'
import { openSqlite } from '../../local/agent/adapters/node-sqlite.ts'
import { runOn } from '../runtimes/engine.ts'
import { quickFolder } from './memory-folder.ts'

const options = { busyMs: 100, bytesMax: 64 * 1024 * 1024, walBytesMax: 1024 * 1024, versionMin: '3.51.3' }

runOn(async () => {
  const folder = await mkdtemp(path.join(quickFolder(), 'wharf-engine-'))
  const open = () => openSqlite(path.join(folder, 'engine.db'), options)
  let sql = open()
  return {
    use: async (work) => work(sql),
    async restart() {
      sql.close()
      sql = open()
    },
    async close() {
      sql.close()
      await rm(folder, { recursive: true, force: true })
    },
  }
})
