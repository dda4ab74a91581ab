/** What an address asks the server first, so that the answer is on its way while the words are still coming. */
import { api, type Question } from '../api/client.ts'
import { isFolder, type Route } from '../model/address.ts'

export function firstQuestions({ view, detail, query }: Route): Question<unknown>[] {
  const stats = api.stats()
  if (view === 'symbol') return [api.node(detail), stats]
  if (view === 'file') return [api.file(detail), stats]
  if (view === 'files') return [api.tree(''), ...(isFolder(detail) ? [] : [api.file(detail)]), stats]
  if (view === 'home' && !query.has('q')) return [stats, api.entryPoints(), api.trails()]
  return [stats]
}
