import { useSignal } from '@preact/signals'
import type { ComponentChildren } from 'preact'
import { useEffect } from 'preact/hooks'
import { Dialog } from '#shared/pages/dialog.tsx'
import { type ListKeyActions, listenForListKeys } from '../keys.ts'
import { words } from '../locales/words.ts'

export function KeyList() {
  const text = words.value.keys
  const rows: readonly (readonly [string, string])[] = [
    ['/', text.search],
    ['J', text.down],
    ['K', text.up],
    ['X', text.select],
    ['Enter', text.open],
    ['A', text.add],
    ['P', text.pause],
    ['R', text.resume],
    ['Y / X', text.answer],
    ['Esc', text.back],
    ['?', text.help],
  ]
  return (
    <dl class="kv keys">
      {rows.map(([key, meaning]) => (
        <>
          <dt>
            <kbd>{key}</kbd>
          </dt>
          <dd>{meaning}</dd>
        </>
      ))}
    </dl>
  )
}

function KeyDialog({ onClose }: { onClose: () => void }) {
  return (
    <Dialog title={words.value.keys.title} onClose={onClose}>
      <KeyList />
      <div class="btns ends-right">
        <button class="btn" type="button" data-first onClick={onClose}>
          {words.value.common.close}
        </button>
      </div>
    </Dialog>
  )
}

/** Listens to the keys of a list while its page is shown; answers the dialog that explains them once it is asked for. */
export function useListKeys(actions: Omit<ListKeyActions, 'help'> = {}): ComponentChildren {
  const isOpen = useSignal(false)
  useEffect(
    () =>
      listenForListKeys({
        ...actions,
        help: () => {
          isOpen.value = true
        },
      }),
    [],
  )
  return isOpen.value ? (
    <KeyDialog
      onClose={() => {
        isOpen.value = false
      }}
    />
  ) : null
}
