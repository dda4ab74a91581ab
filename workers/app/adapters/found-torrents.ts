import { z } from '@hono/zod-openapi'
import type { FoundTorrent } from '../core/push-plan.ts'
import type { SearchHit } from '../core/site.ts'
import { discounts } from '../core/vocabulary.ts'
import { foundSeconds, foundTorrentsMax } from '../limits.ts'
import type { SecretBox } from '../ports/secrets.ts'

const stored = z.array(
  z.object({
    torrentId: z.string(),
    sizeBytes: z.number(),
    discount: z.enum(discounts).exactOptional(),
    discountEndAtUnix: z.number().exactOptional(),
    hasHr: z.boolean(),
    downloadKey: z.string().exactOptional(),
  }),
)

/**
 * What searches of one site found, for the pushes that follow: for an hour, the newest of them only. It outlives the
 * object's memory, and takes none: few searches are followed by a push. The links hold keys of the owner's account, so
 * they rest sealed, one text a search.
 */
export class FoundTorrents {
  readonly #storage: Pick<DurableObjectStorage, 'sql'>
  readonly #secrets: SecretBox
  readonly #context: string
  readonly #revision: number
  readonly #fresh: { readonly text: string; readonly atUnix: number }[] = []
  #settling: Promise<unknown> = Promise.resolve()

  /** With other settings nothing is known: the old links belong to what was there before. */
  constructor(
    storage: Pick<DurableObjectStorage, 'sql'>,
    secrets: SecretBox,
    site: { readonly id: number; readonly revision: number },
  ) {
    this.#storage = storage
    this.#secrets = secrets
    this.#context = `site:${site.id}:${site.revision}:found`
    this.#revision = site.revision
    const { sql } = storage
    sql.exec(
      'create table if not exists found (id integer primary key, revision integer, at_unix integer, sealed text)',
    )
    sql.exec('delete from found where revision <> ?', site.revision)
  }

  /**
   * Known from now on; kept once it is settled. Until then it is one text: the results themselves would outlive the
   * search, and with them the pages that their texts are parts of.
   */
  note(hits: readonly SearchHit[], nowUnix: number): void {
    if (hits.length === 0) return
    this.#fresh.push({ text: JSON.stringify(hits.slice(0, foundTorrentsMax).map(toFound)), atUnix: nowUnix })
  }

  /** Writes down what was noted. */
  settle(): Promise<void> {
    const run = this.#settling.then(async () => {
      for (let next = this.#fresh.shift(); next !== undefined; next = this.#fresh.shift())
        await this.#keep(next.text, next.atUnix)
    })
    this.#settling = run.catch(() => undefined)
    return run
  }

  async #keep(text: string, nowUnix: number): Promise<void> {
    const sealed = await this.#secrets.seal(text, this.#context)
    const { sql } = this.#storage
    sql.exec('insert into found (revision, at_unix, sealed) values (?, ?, ?)', this.#revision, nowUnix, sealed)
    sql.exec('delete from found where at_unix <= ? or at_unix > ?', nowUnix - foundSeconds, nowUnix)
    // Each text holds at least one of them.
    sql.exec('delete from found where id <= (select max(id) from found) - ?', foundTorrentsMax)
  }

  async find(torrentId: string, nowUnix: number): Promise<FoundTorrent | undefined> {
    await this.settle()
    const newer = new Set<string>()
    for (let row = this.#before(Number.MAX_SAFE_INTEGER); row !== undefined; row = this.#before(row.id)) {
      const opened = await this.#secrets.open(row.sealed, this.#context)
      // Sealed with a key that is gone: the next search brings them anew.
      if (!opened.ok) continue
      for (const torrent of stored.parse(JSON.parse(opened.value))) {
        if (newer.size >= foundTorrentsMax) return undefined
        if (torrent.torrentId === torrentId)
          return nowUnix >= row.at_unix && nowUnix < row.at_unix + foundSeconds ? torrent : undefined
        newer.add(torrent.torrentId)
      }
    }
    return undefined
  }

  #before(id: number): { id: number; at_unix: number; sealed: string } | undefined {
    return this.#storage.sql
      .exec<{ id: number; at_unix: number; sealed: string }>(
        'select id, at_unix, sealed from found where id < ? order by id desc limit 1',
        id,
      )
      .toArray()[0]
  }
}

/** What is undefined is not written. */
function toFound({ torrentId, sizeBytes, discount, discountEndAtUnix, hasHr, downloadKey }: SearchHit) {
  return { torrentId, sizeBytes, discount, discountEndAtUnix, hasHr, downloadKey }
}
