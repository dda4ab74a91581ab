/** A screen that is a list: how a row is added, what came of an action, what would be there, and the rows. */
import type { ComponentChildren } from 'preact'
import { Icon } from '#shared/pages/icon.tsx'
import { Empty } from '#shared/pages/note.tsx'
import type { Answer } from '../api/call.ts'
import { words } from '../locales/words.ts'
import type { Resource } from '../resource.ts'
import type { Actions } from '../use-actions.ts'
import { ConfirmRemoval, type Removable, type RemovalText } from './confirm-removal.tsx'
import { List } from './loaded.tsx'
import { FailureNote } from './note.tsx'
import { Shell } from './shell.tsx'

/** The address of the form, or what opens the dialog. */
type Add = string | (() => void)

export function AddButton({ add, children }: { add: Add; children: ComponentChildren }) {
  const content = (
    <>
      <Icon name="plus" />
      {children}
    </>
  )
  return typeof add === 'string' ? (
    <a class="btn primary" href={add}>
      {content}
    </a>
  ) : (
    <button class="btn primary" type="button" onClick={add}>
      {content}
    </button>
  )
}

interface ListText {
  readonly lead?: string
  readonly add?: string
  readonly emptyTitle: string
  readonly emptyBody: string
}

export function ListScreen<D extends { readonly items: readonly unknown[] }, T extends Removable, Done>(
  props: {
    screen: keyof typeof words.value.screens & Parameters<typeof Shell>[0]['screen']
    title?: string
    of: Resource<D>
    /** Behind the lead. */
    more?: ComponentChildren
    add?: Add
    /** Before the way to add a row. */
    find?: ComponentChildren
    /** Above the lead. */
    back?: ComponentChildren
    /** In place of the way to add a row. */
    tools?: ComponentChildren
    facts?: ComponentChildren
    actions?: Actions<T>
    noteOf?: (failure: NonNullable<Actions<T>['failure']['value']>) => ComponentChildren
    /** Between the lead and the list. */
    notes?: ComponentChildren
    skeletonRows?: number
    /** In place of what is said of an empty list; or only what is to be done about it. */
    empty?: ComponentChildren
    toFill?: ComponentChildren
    children: (data: D) => ComponentChildren
    /** Dialogs, and what else stands below the list. */
    beside?: ComponentChildren
  } & (
    | { text: ListText; remove?: undefined }
    | { text: ListText & RemovalText; remove: (id: T['id']) => Promise<Answer<Done>> }
  ),
) {
  const { text, actions } = props
  const add = props.add === undefined ? undefined : <AddButton add={props.add}>{text.add}</AddButton>
  const failure = actions?.failure.value
  return (
    <Shell
      screen={props.screen}
      title={props.title ?? words.value.screens[props.screen]}
      facts={props.facts}
      tools={
        props.tools ?? (
          <>
            {props.find}
            {add}
          </>
        )
      }
    >
      {props.back}
      {text.lead === undefined ? null : (
        <p class="muted lead">
          {text.lead} {props.more}
        </p>
      )}
      {props.notes}
      {failure === undefined ? null : (props.noteOf?.(failure) ?? <FailureNote failure={failure} />)}
      <List
        of={props.of}
        skeletonRows={props.skeletonRows ?? 3}
        empty={
          props.empty ?? (
            <Empty title={text.emptyTitle} body={text.emptyBody}>
              {props.toFill ?? add}
            </Empty>
          )
        }
      >
        {props.children}
      </List>
      {props.beside}
      {actions === undefined || props.remove === undefined ? null : (
        <ConfirmRemoval wanted={actions.removing} text={props.text} remove={props.remove} after={actions.after} />
      )}
    </Shell>
  )
}
