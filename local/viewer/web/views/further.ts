/** Views that come with the first use of one of them. */
import { AccuracyView } from './accuracy.tsx'
import { ChangeView } from './change.tsx'
import { DeadCodeView } from './dead-code.tsx'
import { FilesView } from './files.tsx'
import { RoutesView } from './routes.tsx'
import { TextView } from './text.tsx'
import { TrailsView } from './trails.tsx'

export const further = {
  accuracy: AccuracyView,
  change: ChangeView,
  dead: DeadCodeView,
  files: FilesView,
  routes: RoutesView,
  text: TextView,
  trails: TrailsView,
}
