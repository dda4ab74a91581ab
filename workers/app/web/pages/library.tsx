import { useSignal } from '@preact/signals'
import { useEffect, useMemo } from 'preact/hooks'
import { Icon } from '#shared/pages/icon.tsx'
import { Empty, Note } from '#shared/pages/note.tsx'
import { into, setting } from '#shared/pages/set.ts'
import type { LibraryBody, WireLibrary } from '../../contract/console-libraries.ts'
import { historyStatuses } from '../../core/vocabulary.ts'
import { changeLibrary, fetchLibraries, fetchMediaHistory, removeLibrary } from '../api/media.ts'
import { ConfirmRemoval } from '../components/confirm-removal.tsx'
import { FindBox, useTyped } from '../components/find-box.tsx'
import { FormScreen } from '../components/form-screen.tsx'
import { LibraryFolders } from '../components/library-folders.tsx'
import { LibraryForm } from '../components/library-form.tsx'
import { List } from '../components/loaded.tsx'
import { MediaDetails, MediaTable } from '../components/media-table.tsx'
import { FailureNote } from '../components/note.tsx'
import { Pager } from '../components/pager.tsx'
import { Section } from '../components/section.tsx'
import { Shell } from '../components/shell.tsx'
import { useListKeys } from '../keys.ts'
import { words } from '../locales/words.ts'
import { grouped } from '../model/amounts.ts'
import {
  everyRecord,
  isMediaFiltered,
  type MediaQuery,
  mediaHash,
  mediaParameters,
  mediaRowsPerPage,
  readMediaQuery,
} from '../model/media-query.ts'
import { type Resource, useResource } from '../resource.ts'
import { goTo, replaceAddress } from '../router.ts'
import { useActions } from '../use-actions.ts'

const everyMs = 5000

type Folders = Resource<{ readonly items: readonly WireLibrary[] }>

function Folders({ folders }: { folders: Folders }) {
  const text = words.value.library
  const { failure, after, removing } = useActions<WireLibrary>(folders)

  return (
    <Section title={text.folders}>
      <FailureNote failure={failure.value} />
      <List
        of={folders}
        skeletonRows={2}
        empty={
          <Note
            action={
              <a class="link" href="#/library/new">
                {text.add}
              </a>
            }
          >
            {text.noFolders}
          </Note>
        }
      >
        {({ items }) => (
          <LibraryFolders
            libraries={items}
            onChange={(id: number, body: LibraryBody) => void changeLibrary(id, body).then(after)}
            onRemove={into(removing)}
          />
        )}
      </List>
      <ConfirmRemoval wanted={removing} text={text} remove={removeLibrary} after={after} />
    </Section>
  )
}

function History({ search }: { search: URLSearchParams }) {
  const text = words.value.library
  const query = useMemo(() => readMediaQuery(search), [search])
  const parameters = mediaParameters(query).toString()
  const history = useResource(parameters, (signal) => fetchMediaHistory(mediaParameters(query), signal), everyMs)
  const openId = useSignal<number | undefined>(undefined)
  const [typed, onTyped] = useTyped(query.words, (next) =>
    replaceAddress(mediaHash({ ...query, words: next, page: 1 })),
  )
  const { data } = history.state.value
  const isOwn = history.isOwn()
  const go = (next: Partial<MediaQuery>) => goTo(mediaHash({ ...query, page: 1, ...next }))
  const open = data?.items.find(({ id }) => id === openId.value)
  useListKeys()
  const total = isOwn ? data?.total : undefined
  useEffect(() => {
    const last = Math.max(1, Math.ceil((total ?? 0) / mediaRowsPerPage))
    if (total !== undefined && total > 0 && query.page > last) replaceAddress(mediaHash({ ...query, page: last }))
  }, [total, query])
  return (
    <section class="sec">
      <header>
        <h2>{text.history}</h2>
        {total === undefined ? null : <span class="n">{grouped(total)}</span>}
      </header>
      <div class="tab-row media-filter">
        <nav class="tabs" aria-label={text.filter}>
          {([undefined, ...historyStatuses] as const).map((state) => (
            <a
              key={state ?? 'all'}
              href={mediaHash({ ...query, state, page: 1 })}
              aria-current={state === query.state ? 'true' : undefined}
            >
              {text.filters[state ?? 'all']}
            </a>
          ))}
        </nav>
        <FindBox label={text.find} maxLength={100} value={typed.value} onText={onTyped} />
      </div>
      <List
        of={history}
        empty={
          isMediaFiltered(query) ? (
            <Empty title={text.noMatch} body={text.noMatchBody}>
              <a class="btn" href={mediaHash(everyRecord)}>
                {text.clear}
              </a>
            </Empty>
          ) : (
            <Empty title={text.emptyTitle} body={text.emptyBody} />
          )
        }
      >
        {({ items, total }) => (
          <>
            <MediaTable records={items} isBusy={!isOwn} onOpen={into(openId)} />
            <Pager page={query.page} pageSize={mediaRowsPerPage} total={total} onPage={(page) => go({ page })} />
          </>
        )}
      </List>
      {open === undefined ? null : <MediaDetails record={open} onClose={setting(openId, undefined)} />}
    </section>
  )
}

export function LibraryPage({ form, query }: { readonly form?: 'new' | number; readonly query: URLSearchParams }) {
  const text = words.value.library
  const folders = useResource('libraries', fetchLibraries)
  if (form !== undefined) {
    return (
      <FormScreen screen="library" form={form} of={folders} listHash="#/library" text={text} goneBody={text.goneBody}>
        {({ data, ...row }) => (
          <LibraryForm
            {...row}
            emptyKinds={(['movie', 'tv'] as const).filter(
              (kind) => !data.items.some((one) => one.media_type === kind && one.id !== form),
            )}
          />
        )}
      </FormScreen>
    )
  }
  return (
    <Shell
      screen="library"
      title={words.value.screens.library}
      tools={
        <a class="btn primary" href="#/library/new">
          <Icon name="plus" />
          {text.add}
        </a>
      }
    >
      <p class="muted lead">{text.lead}</p>
      <Folders folders={folders} />
      <History search={query} />
    </Shell>
  )
}
