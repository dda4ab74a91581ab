/** How fast one torrent came and went while its page was looked at. */
import { words } from '../locales/words.ts'
import { joined, speedAmount } from '../model/amounts.ts'
import { type SpeedColumn, type SpeedSample, speedColumnsOf } from '../model/speed-samples.ts'
import { language } from '../preferences.ts'
import { BarChart } from './bar-chart.tsx'
import { ChartKey } from './chart-frame.tsx'

const mib = 1024 * 1024

export function TorrentSpeed({ samples }: { samples: readonly SpeedSample[] }) {
  const text = words.value.torrentPage
  const columns = speedColumnsOf(samples)
  const clock = (ms: number) => new Date(ms).toLocaleTimeString(language.value === 'zh' ? 'zh-CN' : 'en-GB')
  const most = Math.max(0, ...columns.map(({ up, down }) => Math.max(up, down)))
  const first = columns[0]
  if (first === undefined || columns.length < 2) return <p class="faint">{text.speedSoon}</p>
  const told = ({ fromMs, up, down, isGap }: SpeedColumn) =>
    isGap
      ? text.speedGap(clock(fromMs))
      : text.speedTold(clock(fromMs), joined(speedAmount(down)), joined(speedAmount(up)))
  const { download_speed: downName, upload_speed: upName } = words.value.torrents.columns
  const series = [
    { name: downName, values: columns.map(({ down }) => down / mib) },
    { name: upName, values: columns.map(({ up }) => up / mib) },
  ]
  return (
    <>
      <BarChart
        finding={text.speedFinding(clock(first.fromMs), joined(speedAmount(most)))}
        series={series}
        columns={columns.map((one) => ({ label: clock(one.fromMs), told: told(one), isGap: one.isGap }))}
        axis={(value) => `${value < 10 ? value.toFixed(1) : Math.round(value)} MiB/s`}
        lastLabel={text.now}
        soFar={(value) => value}
        gapWord={text.notSeen}
        walk={text.speedWalk}
      />
      <ChartKey of={series} />
    </>
  )
}
