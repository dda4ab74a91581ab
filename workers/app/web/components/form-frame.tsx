import type { Signal } from '@preact/signals'
import { framesOf } from '#shared/pages/form-frame.tsx'
import { setting } from '#shared/pages/set.ts'
import type { ApiFailure } from '../api/call.ts'
import { words } from '../locales/words.ts'
import { goTo, releaseAddress } from '../router.ts'
import { Confirm } from './confirm.tsx'
import { FailureNote } from './note.tsx'

/** Asked before what is not stored is left for another place. */
function Leaving({ to }: { to: Signal<string | undefined> }) {
  const text = words.value.form
  const hash = to.value
  return hash === undefined ? null : (
    <Confirm
      title={text.leaveTitle}
      body={text.leaveBody}
      action={text.leave}
      onConfirm={() => {
        releaseAddress()
        goTo(hash)
      }}
      onCancel={setting(to, undefined)}
    />
  )
}

export const FormFrame = framesOf<ApiFailure>({
  FailureNote,
  cancelWords: () => words.value.common.cancel,
  Leaving,
})
