import { useSignal } from '@preact/signals'
import { Dialog } from '#shared/pages/dialog.tsx'
import { Icon } from '#shared/pages/icon.tsx'
import { Empty } from '#shared/pages/note.tsx'
import type { PairingCodeBody, WireDevice } from '../../contract/console-devices.ts'
import { deviceNameCharactersMax } from '../../limits.ts'
import { fetchDevices, makePairingCode, renameDevice, revokeDevice } from '../api-client.ts'
import { ConfirmRemoval } from '../components/confirm-removal.tsx'
import { Options } from '../components/field.tsx'
import { Moment } from '../components/figure.tsx'
import { FormFrame } from '../components/form-frame.tsx'
import { Bones } from '../components/list-states.tsx'
import { NameDialog } from '../components/name-dialog.tsx'
import { FailureNote } from '../components/note.tsx'
import { Shell } from '../components/shell.tsx'
import { ShownOnce } from '../components/shown-once.tsx'
import { words } from '../locales/words.ts'
import { exactMoment } from '../model/moments.ts'
import { language } from '../preferences.ts'
import { useResource } from '../resource.ts'
import { useAfter } from '../use-after.ts'
import { useForm } from '../use-form.ts'

type Permission = PairingCodeBody['permission']
const permissions: readonly Permission[] = ['full', 'read']

/** While a code waits, a device that was paired with it shows soon. */
const waitingMs = 3000

interface FreshCode {
  readonly code: string
  readonly permission: Permission
  readonly expiresAt: number
  /** When each device was paired before, as far as that was known: one paired since then has used the code. */
  readonly before: ReadonlyMap<string, number> | undefined
}

function CodeForm({ onMade, onClose }: { onMade: (code: Omit<FreshCode, 'before'>) => void; onClose: () => void }) {
  const text = words.value.devices
  const form = useForm({ permission: 'read' as Permission }, { asks: false })
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
          options={permissions.map((value) => ({
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
  const revoking = useSignal<WireDevice | undefined>(undefined)
  const devices = useResource('devices', fetchDevices, fresh.value === undefined ? undefined : waitingMs)
  const { failure, after } = useAfter(devices)
  const { data, failure: loadFailure } = devices.state.value
  const code = fresh.value
  const before = code?.before
  const paired = before && data?.items.find((one) => before.get(one.id) !== one.paired_at)

  const forgetCode = () => {
    fresh.value = undefined
  }

  return (
    <Shell
      screen="devices"
      title={words.value.screens.devices}
      tools={
        <button
          class="btn primary"
          type="button"
          onClick={() => {
            adding.value = true
          }}
        >
          <Icon name="plus" />
          {text.add}
        </button>
      }
    >
      <p class="muted lead">{text.lead}</p>
      {code === undefined ? null : paired === undefined ? (
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
      )}
      {failure.value === undefined ? null : <FailureNote failure={failure.value} />}
      {loadFailure === undefined ? null : (
        <FailureNote
          lead={words.value.common.loadFailed}
          role={data === undefined ? 'alert' : 'status'}
          failure={loadFailure}
          retry={() => void devices.reload()}
        />
      )}
      {data === undefined ? (
        loadFailure === undefined ? (
          <Bones rows={4} />
        ) : null
      ) : data.items.length === 0 ? (
        <Empty title={text.emptyTitle} body={text.emptyBody} />
      ) : (
        <table class="fold tokens devices">
          <thead>
            <tr>
              <th scope="col">{text.name}</th>
              <th scope="col">{text.permission}</th>
              <th scope="col">{text.pairedAt}</th>
              <th scope="col">{text.lastUsed}</th>
              <th scope="col">
                <span class="vh">{text.revoke}</span>
              </th>
            </tr>
          </thead>
          <tbody>
            {data.items.map((device) => (
              <tr key={device.id}>
                <td class="name">
                  <b class="cut" title={device.name}>
                    {device.name}
                  </b>
                </td>
                <td class="scopes">
                  <span class="tag">{text.permissionNames[device.permission]}</span>
                </td>
                <td class="nowrap wide-only">
                  <Moment seconds={device.paired_at} />
                </td>
                <td class="nowrap">
                  <span class="phone-only faint">{text.lastUsed} </span>
                  <Moment seconds={device.last_used_at} none={text.unused} />
                </td>
                <td class="num act">
                  <button
                    class="btn quiet"
                    type="button"
                    aria-label={`${text.rename} ${device.name}`}
                    onClick={() => {
                      renaming.value = device
                    }}
                  >
                    {text.rename}…
                  </button>
                  <button
                    class="btn danger quiet"
                    type="button"
                    aria-label={`${text.revoke} ${device.name}`}
                    onClick={() => {
                      revoking.value = device
                    }}
                  >
                    {text.revoke}…
                  </button>
                </td>
              </tr>
            ))}
          </tbody>
        </table>
      )}
      {adding.value ? (
        <CodeForm
          onClose={() => {
            adding.value = false
          }}
          onMade={(made) => {
            adding.value = false
            fresh.value = { ...made, before: data && new Map(data.items.map((one) => [one.id, one.paired_at])) }
          }}
        />
      ) : null}
      {renaming.value === undefined ? null : (
        <NameDialog
          key={renaming.value.id}
          title={text.renameTitle(renaming.value.name)}
          text={text}
          first={renaming.value.name}
          charactersMax={deviceNameCharactersMax}
          submitWords={words.value.common.save}
          send={(name) => renameDevice(renaming.value?.id ?? '', { name })}
          onSaved={devices.reload}
          onClose={() => {
            renaming.value = undefined
          }}
        />
      )}
      <ConfirmRemoval
        wanted={revoking}
        title={text.confirm}
        body={text.confirmBody}
        action={text.doRevoke}
        remove={revokeDevice}
        after={after}
      />
    </Shell>
  )
}
