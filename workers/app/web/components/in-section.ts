import { words } from '../locales/words.ts'

/** How a form looks below others of a page; what was saved is said until something is typed. */
export const inSection = () =>
  ({ look: 'section', submitWords: words.value.common.save, savedWords: words.value.services.saved }) as const
