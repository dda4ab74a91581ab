import { type LostSecret, lostQueries } from '../../core/sealed-text.ts'

/** What a text begins with that nothing has sealed: with no key at hand everything sealed is lost. */
const noStart = 'no key'

export function createLostSecrets(
  db: D1Database,
  presentStart: () => Promise<string | undefined>,
): () => Promise<LostSecret[]> {
  return async () => {
    const start = (await presentStart()) ?? noStart
    const found = await db.batch<{ name: string }>(lostQueries.map(({ sql }) => db.prepare(sql).bind(start)))
    return lostQueries.flatMap(({ kind }, at) => (found[at]?.results ?? []).map(({ name }) => ({ kind, name })))
  }
}
