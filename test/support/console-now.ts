/** A set-up file of project `web`: what is `now` in the console's data is so for each file. */
import { takeNow } from './console-screens.ts'

takeNow()
