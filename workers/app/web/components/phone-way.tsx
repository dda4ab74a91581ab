/** How a phone finds the console: by its camera, or by typing the address. */
import { useSignal } from '@preact/signals'
import { encodeQR } from 'qr'
import { fetchHealth } from '../api/service.ts'
import { words } from '../locales/words.ts'
import { useResource } from '../resource.ts'
import { Section } from './section.tsx'

/** Dark on light whatever the theme: many cameras read no other. */
function QrCode({ address, label }: { address: string; label: string }) {
  const rows = encodeQR(address, 'raw', { border: 2 })
  const size = rows.length
  const dark = rows.flatMap((row, y) => row.flatMap((isDark, x) => (isDark ? [`M${x} ${y}h1v1h-1z`] : [])))
  return (
    <svg class="qr" viewBox={`0 0 ${size} ${size}`} role="img" aria-label={label} shape-rendering="crispEdges">
      <path fill="#fff" d={`M0 0h${size}v${size}H0z`} />
      <path fill="#000" d={dark.join('')} />
    </svg>
  )
}

/** Nothing at the edge, whose address the browser shows already. */
export function PhoneWay() {
  const text = words.value.phone
  const health = useResource('health', fetchHealth)
  const chosen = useSignal(0)
  const { data } = health.state.value
  if (data?.own_machine !== true) return null
  const address = data.addresses[chosen.value]
  return (
    <Section title={text.title}>
      {address === undefined ? (
        <p class="muted">{text.alone}</p>
      ) : (
        <>
          <p class="muted">{text.body}</p>
          <QrCode address={`${address}/`} label={text.code(`${address}/`)} />
          {data.addresses.map((one, at) => (
            <p key={one}>
              <label>
                <input
                  type="radio"
                  name="phone-address"
                  checked={at === chosen.value}
                  onChange={() => {
                    chosen.value = at
                  }}
                />{' '}
                <span class="mono">{`${one}/`}</span>
              </label>
            </p>
          ))}
          {address.startsWith('http:') ? <p class="small muted">{text.plain}</p> : null}
        </>
      )}
    </Section>
  )
}
