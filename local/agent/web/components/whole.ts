import { createContext } from 'preact'

/** Whether everything is shown at once, as in a file that nobody can ask for more. */
export const Whole = createContext(false)
