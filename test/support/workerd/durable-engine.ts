import { evictDurableObject, runInDurableObject } from 'cloudflare:test'
import { env } from 'cloudflare:workers'
import { durableSql } from '#shared/sql/durable-sql.ts'
import { runOn } from '../../runtimes/engine.ts'

// An object that keeps nothing of its own in its storage.
runOn(async () => {
  const object = env.DOWNLOADERS.get(env.DOWNLOADERS.newUniqueId())
  return {
    use: (work) => runInDurableObject(object, (_, state) => work(durableSql(state.storage))),
    async restart() {
      // Only what runs can be put out of memory.
      await runInDurableObject(object, () => undefined)
      await evictDurableObject(object)
    },
    close: () => runInDurableObject(object, (_, state) => state.storage.deleteAll()),
  }
})
