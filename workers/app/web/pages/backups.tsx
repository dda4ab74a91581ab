import { Icon } from '#shared/pages/icon.tsx'
import { Empty } from '#shared/pages/note.tsx'
import type { WireBackup, WireBackupList } from '../../contract/console-backups.ts'
import { backupAddress, fetchBackups, makeBackup, readBackBackup } from '../api/service.ts'
import { Fig, Figure, Moment } from '../components/figure.tsx'
import { Loaded } from '../components/loaded.tsx'
import { FailureNote } from '../components/note.tsx'
import { ReasonWords } from '../components/reason.tsx'
import { Section } from '../components/section.tsx'
import { Shell } from '../components/shell.tsx'
import { StateMark } from '../components/state-mark.tsx'
import { words } from '../locales/words.ts'
import { bytesAmount, grouped } from '../model/amounts.ts'
import { useResource } from '../resource.ts'
import { useActions } from '../use-actions.ts'

const everyMs = 30_000

function Figures({ items }: { items: readonly WireBackup[] }) {
  const text = words.value.backups
  const [newest] = items
  const read = items.find((one) => one.read_back?.ok === true)?.read_back
  const bytes = items.reduce((sum, one) => sum + one.bytes, 0)
  return (
    <dl class="figures">
      <Fig name={text.latest} beside={newest === undefined ? text.notYet : text.why[newest.why]}>
        <Moment seconds={newest?.at} />
      </Fig>
      <Fig name={text.readBack} beside={read === undefined ? text.notYet : text.everyTable}>
        {read?.rows === undefined ? '—' : text.rows(grouped(read.rows))}
      </Fig>
      <Fig name={text.wayBack} beside={items.length === 0 ? text.notYet : text.why[items.at(-1)?.why ?? 'asked']}>
        <Moment seconds={items.at(-1)?.at} />
      </Fig>
      <Fig name={text.all} beside={text.inFolder(items.length)}>
        <Figure amount={bytesAmount(bytes)} />
      </Fig>
    </dl>
  )
}

function Verified({ backup }: { backup: WireBackup }) {
  const text = words.value.backups
  const read = backup.read_back
  if (read === undefined)
    return (
      <StateMark mark="m-guess" tone="faint">
        {text.unread}
      </StateMark>
    )
  return read.ok ? (
    <StateMark mark="m-done" tone="good">
      {text.whole(grouped(read.rows ?? 0))}
    </StateMark>
  ) : (
    <StateMark mark="m-bad" tone="bad">
      <span>
        <ReasonWords reason={read.reason} />
      </span>
    </StateMark>
  )
}

function BackupTable(props: {
  items: readonly WireBackup[]
  busy: string | undefined
  onCheck: (name: string) => void
}) {
  const text = words.value.backups
  return (
    <table class="fold backups">
      <thead>
        <tr>
          <th scope="col">{text.taken}</th>
          <th scope="col">{text.verified}</th>
          <th scope="col" class="num">
            {text.size}
          </th>
          <th scope="col">
            <span class="vh">{text.download}</span>
          </th>
        </tr>
      </thead>
      <tbody>
        {props.items.map((one) => (
          <tr key={one.name}>
            <td class="name">
              <b>
                <Moment seconds={one.at} />
              </b>{' '}
              <span class={one.why === 'before_migration' ? 'tag acc' : 'faint small'}>{text.why[one.why]}</span>{' '}
              {one.sealed ? <span class="tag">{text.sealed}</span> : null}
              {one.away === true ? <span class="tag">{text.away}</span> : null}
            </td>
            <td>
              <Verified backup={one} />
            </td>
            <td class="num nowrap">
              <Figure amount={bytesAmount(one.bytes)} />
            </td>
            <td class="num act">
              <button
                class="btn quiet"
                type="button"
                disabled={props.busy !== undefined}
                aria-label={text.checkOne(one.name)}
                onClick={() => props.onCheck(one.name)}
              >
                <Icon name="check" />
                {props.busy === one.name ? text.checking : text.check}
              </button>
              <a
                class="btn quiet"
                href={backupAddress(one.name)}
                download={one.name}
                aria-label={text.downloadOne(one.name)}
              >
                <Icon name="down" />
                {text.download}
              </a>
            </td>
          </tr>
        ))}
      </tbody>
    </table>
  )
}

function Away({ bucket }: { bucket: NonNullable<WireBackupList['bucket']> }) {
  const text = words.value.backups
  return (
    <p class="small muted bucket">
      {text.bucket(bucket.count)} <span class="mono">{bucket.address}</span>
      {bucket.at === undefined ? null : (
        <>
          {' · '}
          <Moment seconds={bucket.at} />
        </>
      )}
      {bucket.reason === undefined ? null : (
        <StateMark mark="m-bad" tone="bad">
          <span>
            <ReasonWords reason={bucket.reason} />
          </span>
        </StateMark>
      )}
    </p>
  )
}

function GoingBack({ list }: { list: WireBackupList }) {
  const text = words.value.backups
  const folder = list.folder ?? ''
  const file = `${folder}/${list.items[0]?.name ?? 'FILE'}`
  return (
    <Section title={text.restoreTitle}>
      <p class="muted">{text.restoreBody}</p>
      <p>
        <code class="mono restore-line">{`npm run restore -- ${file} --data ${folder.replace(/\/backups$/, '')}`}</code>
      </p>
      <p class="small muted">
        {list.automatic ? text.automatic : text.byHand} {list.bucket === undefined ? text.elsewhere : null}
      </p>
      {list.bucket === undefined ? null : <Away bucket={list.bucket} />}
      {list.items.some((one) => !one.sealed) ? <p class="small muted">{text.secretsBody}</p> : null}
    </Section>
  )
}

/** What is under way while it is no backup's name. */
const making = 'making'

export function BackupsPage() {
  const text = words.value.backups
  const backups = useResource('backups', fetchBackups, everyMs)
  const { act, busy, isBusy, failure } = useActions(backups)
  const isHere = backups.state.value.data?.own_machine === true

  return (
    <Shell
      screen="backups"
      title={words.value.screens.backups}
      tools={
        isHere ? (
          <button class="btn primary" type="button" disabled={isBusy} onClick={() => void act(makeBackup, making)}>
            <Icon name="disk" />
            {busy === making ? text.making : text.make}
          </button>
        ) : undefined
      }
    >
      <FailureNote lead={text.notDone} failure={failure.value} />
      <Loaded of={backups} skeletonRows={4}>
        {(list) =>
          !list.own_machine ? (
            <Empty title={text.edgeTitle} body={text.edgeBody} />
          ) : (
            <>
              {list.items.length === 0 ? (
                <Empty title={text.emptyTitle} body={text.emptyBody} />
              ) : (
                <>
                  <Figures items={list.items} />
                  <Section title={text.list}>
                    <BackupTable
                      items={list.items}
                      busy={busy}
                      onCheck={(name) => void act(() => readBackBackup(name), name)}
                    />
                  </Section>
                </>
              )}
              <GoingBack list={list} />
            </>
          )
        }
      </Loaded>
    </Shell>
  )
}
