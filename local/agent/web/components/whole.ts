import { createContext, type FunctionComponent } from 'preact'

/** Whether everything is shown at once, as in a file that nobody can ask for more. */
export const Whole = createContext(false)

/** What draws the session of a sub-agent inside the call that began it; without it only its report is shown. */
export const ChildView = createContext<FunctionComponent<{ id: string }> | undefined>(undefined)
