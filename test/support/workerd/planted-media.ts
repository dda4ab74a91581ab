import { env } from 'cloudflare:workers'

/** Records of the library as the service leaves them. */
export async function plantMedia(rows: readonly Readonly<Record<string, unknown>>[]): Promise<void> {
  const statements = rows.map((change, index) => {
    const row = {
      media_type: 'movie',
      tmdb_id: index + 1,
      season: 0,
      title: 'Film',
      torrent_name: `Film.${index}`,
      folded_text: '',
      site: 'planted',
      torrent_id: String(index),
      size_bytes: 5,
      quality: '{}',
      status: 'done',
      subscription_torrent_id: 1,
      downloader_id: 1,
      info_hashes: 'a',
      under_way: 0,
      next_at_unix: 1,
      begun_at_unix: 1,
      created_at_unix: 100,
      updated_at_unix: 100 + index,
      ...change,
    }
    return env.DB.prepare(
      `insert into media_history (${Object.keys(row).join()}) values (${Object.keys(row).map(() => '?')})`,
    ).bind(...Object.values(row))
  })
  for (let start = 0; start < statements.length; start += 50) await env.DB.batch(statements.slice(start, start + 50))
}
