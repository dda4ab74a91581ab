import type { ComponentChildren } from 'preact'
import { Empty } from '#shared/pages/note.tsx'
import { words } from '../locales/words.ts'
import type { Resource } from '../resource.ts'
import { goTo } from '../router.ts'
import { Loaded } from './loaded.tsx'
import { Shell } from './shell.tsx'

interface Stored {
  readonly id: number | string
  readonly name: string
  readonly from_file?: true | undefined
}

/** The screen on which one row of a list is added or changed; `listHash` is where the list is. */
export function FormScreen<D extends { readonly items: readonly Stored[] }>(props: {
  screen: Parameters<typeof Shell>[0]['screen']
  form: 'new' | number | string
  of: Resource<D>
  listHash: string
  text: {
    readonly back: string
    readonly addTitle: string
    readonly edit?: string
    readonly editTitle: (name: string) => string
    readonly gone: string
    readonly saveAdd: string
  }
  goneBody: string
  /** What else there is of a stored row. */
  above?: (stored: D['items'][number]) => ComponentChildren
  children: (row: {
    readonly key: string | number
    readonly stored: D['items'][number] | undefined
    readonly data: D
    readonly submitWords: string
    readonly onSaved: () => void
  }) => ComponentChildren
}) {
  const { form, of, text } = props
  const stored = of.state.value.data?.items.find((item) => item.id === form)
  const isNew = form === 'new'
  return (
    <Shell
      screen={props.screen}
      title={
        isNew
          ? text.addTitle
          : stored === undefined
            ? (text.edit ?? words.value.common.edit)
            : text.editTitle(stored.name)
      }
    >
      <a class="link back" href={props.listHash}>
        {text.back}
      </a>
      <Loaded of={of}>
        {(data) =>
          stored?.from_file === true ? (
            <Empty title={stored.name} body={words.value.ofFile} />
          ) : !isNew && stored === undefined ? (
            <Empty title={text.gone} body={props.goneBody} />
          ) : (
            <>
              {stored === undefined ? null : props.above?.(stored)}
              <div class="form-column">
                {props.children({
                  key: form,
                  stored,
                  data,
                  submitWords: isNew ? text.saveAdd : words.value.common.save,
                  // The next form knows of this row: the first of its kind is what is used where none is named.
                  onSaved: () => void of.reload().then(() => goTo(props.listHash)),
                })}
              </div>
            </>
          )
        }
      </Loaded>
    </Shell>
  )
}
