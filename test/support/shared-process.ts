/** The first set-up file of the projects whose files share a process. */
import { watchSurroundings } from './leave-as-found.ts'

watchSurroundings()
