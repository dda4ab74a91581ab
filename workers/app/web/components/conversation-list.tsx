/** The caller's conversations, newest first, by day. On phones a screen of its own. */
import type { ComponentChildren } from 'preact'
import { Icon } from '#shared/pages/icon.tsx'
import { Empty } from '#shared/pages/note.tsx'
import { showUnseen } from '#shared/pages/text-blocks.ts'
import type { WireConversation } from '../../contract/assistant.ts'
import { words } from '../locales/words.ts'
import { type DayGroup, dayGroup } from '../model/tool-facts.ts'
import type { Resource } from '../resource.ts'
import { Moment } from './figure.tsx'
import { List } from './loaded.tsx'

export function conversationTitle({ title }: { readonly title: string }): string {
  return title.trim() === '' ? words.value.assistant.untitled : showUnseen(title)
}

export function ConversationList(props: {
  list: Resource<{ readonly items: readonly WireConversation[] }>
  current: string | undefined
  /** Why no message can be sent, for where the list is a screen of its own. */
  closed: ComponentChildren | undefined
}) {
  const { data } = props.list.state.value
  const text = words.value.assistant
  const nowMs = Date.now()
  const groups = new Map<DayGroup, WireConversation[]>()
  for (const one of data?.items ?? []) {
    const group = dayGroup(Date.parse(one.updated_at), nowMs)
    groups.set(group, [...(groups.get(group) ?? []), one])
  }
  return (
    <nav class="convs" aria-label={text.conversations}>
      {props.closed === undefined ? null : <div class="phone-only">{props.closed}</div>}
      <List
        of={props.list}
        skeletonRows={4}
        lead={data === undefined ? undefined : text.listStale}
        empty={
          <Empty title={text.emptyTitle} body={text.emptyBody}>
            {props.closed === undefined ? (
              <a class="btn primary phone-only" href="#/assistant/new">
                <Icon name="plus" />
                {text.begin}
              </a>
            ) : null}
          </Empty>
        }
      >
        {() =>
          [...groups].map(([group, items]) => (
            <section key={group}>
              <h2 class="g">{text.groups[group]}</h2>
              <ul>
                {items.map((one) => (
                  <li key={one.id}>
                    <a href={`#/assistant/${one.id}`} aria-current={one.id === props.current ? 'page' : undefined}>
                      <span class="cut grow" dir="auto" title={conversationTitle(one)}>
                        {conversationTitle(one)}
                      </span>
                      {one.running ? (
                        <span class="acc">
                          <Icon name="m-part" small />
                          <span class="vh">{text.answering}</span>
                        </span>
                      ) : null}
                      <span class="faint tiny nowrap">
                        <Moment seconds={Date.parse(one.updated_at) / 1000} />
                      </span>
                    </a>
                  </li>
                ))}
              </ul>
            </section>
          ))
        }
      </List>
    </nav>
  )
}
