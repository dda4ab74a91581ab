import { useSignal } from '@preact/signals'
import { Dialog } from '#shared/pages/dialog.tsx'
import { Icon } from '#shared/pages/icon.tsx'
import { setting } from '#shared/pages/set.ts'
import type { WireDevice } from '../../contract/console-devices.ts'
import { type DevicePermission, devicePermissions } from '../../core/vocabulary.ts'
import { deviceNameCharactersMax } from '../../limits.ts'
import { fetchDevices, makePairingCode, renameDevice, revokeDevice } from '../api/account.ts'
import { Options } from '../components/field.tsx'
import { Moment } from '../components/figure.tsx'
import { FormFrame } from '../components/form-frame.tsx'
import { lastUsedColumn } from '../components/last-used.tsx'
import { ListScreen } from '../components/list-screen.tsx'
import { RenameDialog } from '../components/name-dialog.tsx'
import { PhoneWay } from '../components/phone-way.tsx'
import { ShownOnce } from '../components/shown-once.tsx'
import { AskButton, type Column, RowName, Table } from '../components/table.tsx'
import { words } from '../locales/words.ts'
import { exactMoment } from '../model/moments.ts'
import { language } from '../preferences.ts'
import { useResource } from '../resource.ts'
import { useActions } from '../use-actions.ts'
import { useForm } from '../use-form.ts'

/** While a code waits, a device that was paired with it shows soon. */
const waitingMs = 3000

interface FreshCode {
  readonly code: string
  readonly permission: DevicePermission
  readonly expiresAt: number
  /** When each device was paired before, as far as that was known: one paired since then has used the code. */
  readonly before: ReadonlyMap<string, number> | undefined
}

function CodeForm({ onMade, onClose }: { onMade: (code: Omit<FreshCode, 'before'>) => void; onClose: () => void }) {
  const text = words.value.devices
  const form = useForm({ permission: 'read' as DevicePermission }, { asks: false })
  const { permission } = form.values
  return (
    <Dialog title={text.add} onClose={onClose}>
      <FormFrame
        form={form}
        look="dialog"
        isRight
        send={() => makePairingCode({ permission })}
        onSaved={({ code, expires_at }) => onMade({ code, permission, expiresAt: expires_at })}
        submitWords={text.create}
        onCancel={onClose}
      >
        <Options
          legend={text.permission}
          {...form.chosen('permission')}
          options={devicePermissions.map((value) => ({
            value,
            label: text.permissionNames[value],
            hint: text.permissionHints[value],
          }))}
        />
      </FormFrame>
    </Dialog>
  )
}

export function DevicesPage() {
  const text = words.value.devices
  const adding = useSignal(false)
  const fresh = useSignal<FreshCode | undefined>(undefined)
  const renaming = useSignal<WireDevice | undefined>(undefined)
  const devices = useResource('devices', fetchDevices, fresh.value === undefined ? undefined : waitingMs)
  const actions = useActions<WireDevice>(devices)
  const { data } = devices.state.value
  const code = fresh.value
  const before = code?.before
  const paired = before && data?.items.find((one) => before.get(one.id) !== one.paired_at)

  const forgetCode = () => {
    fresh.value = undefined
  }

  const columns: readonly Column<WireDevice>[] = [
    { head: words.value.common.name, td: 'name', cell: RowName },
    {
      head: text.permission,
      td: 'scopes',
      cell: ({ permission }) => <span class="tag">{text.permissionNames[permission]}</span>,
    },
    { head: text.pairedAt, td: 'nowrap wide-only', cell: (device) => <Moment seconds={device.paired_at} /> },
    lastUsedColumn(text),
    {
      head: text.revoke,
      isSpoken: true,
      td: 'num act',
      cell: (device) => (
        <>
          <AskButton word={text.rename} of={device} wanted={renaming} />
          <AskButton word={text.revoke} of={device} wanted={actions.removing} danger />
        </>
      ),
    },
  ]
  const freshCode =
    code === undefined ? null : paired === undefined ? (
      <ShownOnce
        lead={text.shownOnce(text.permissionNames[code.permission])}
        label={text.code}
        secret={code.code}
        done={words.value.common.close}
        onDone={forgetCode}
      >
        <p class="muted small">{text.codeHint(exactMoment(code.expiresAt, language.value))}</p>
      </ShownOnce>
    ) : (
      <section class="ask settled" role="status">
        <p>
          <Icon name="check" /> {text.paired(paired.name)}
        </p>
        <div class="btns">
          <button class="btn quiet" type="button" onClick={forgetCode}>
            {words.value.common.close}
          </button>
        </div>
      </section>
    )
  return (
    <ListScreen
      screen="devices"
      of={devices}
      text={text}
      add={setting(adding, true)}
      skeletonRows={4}
      actions={actions}
      remove={revokeDevice}
      notes={freshCode}
      beside={
        <>
          <PhoneWay />
          {adding.value ? (
            <CodeForm
              onClose={setting(adding, false)}
              onMade={(made) => {
                adding.value = false
                fresh.value = { ...made, before: data && new Map(data.items.map((one) => [one.id, one.paired_at])) }
              }}
            />
          ) : null}
          <RenameDialog
            wanted={renaming}
            text={text}
            charactersMax={deviceNameCharactersMax}
            send={(id, name) => renameDevice(id, { name })}
            onSaved={devices.reload}
          />
        </>
      }
    >
      {({ items }) => <Table class="tokens devices" columns={columns} rows={items} keyOf={({ id }) => id} />}
    </ListScreen>
  )
}
