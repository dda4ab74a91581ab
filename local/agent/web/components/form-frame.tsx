import { framesOf } from '#shared/pages/form-frame.tsx'
import type { ApiFailure } from '../api/ask.ts'
import { words } from '../locales/words.ts'
import { FailureNote } from './states.tsx'

export const FormFrame = framesOf<ApiFailure>({ FailureNote, cancelWords: () => words.value.cancel })
