/** What is to be done on the first day, in order, and what stands already: for an overview without sites. */
import { Icon } from '#shared/pages/icon.tsx'
import type { WireDownloader } from '../../contract/downloaders.ts'
import { fetchDownloaders } from '../api/downloaders.ts'
import { fetchLibraries } from '../api/media.ts'
import { fetchMetadataSettings } from '../api/service.ts'
import { words } from '../locales/words.ts'
import { bytesAmount, grouped, joined, speedAmount } from '../model/amounts.ts'
import { useResource } from '../resource.ts'
import { MetadataKeyLink } from './metadata-key-link.tsx'
import { ReasonWords } from './reason.tsx'

const downloadersEveryMs = 10_000

/** Undefined while it is not known. */
type Step = readonly [name: 'downloader' | 'site' | 'provider' | 'folders', isDone: boolean | undefined]
const places = {
  downloader: '#/downloaders/new',
  site: '#/sites/new',
  provider: '#/settings',
  folders: '#/library/new',
} as const

function Downloader({ of }: { of: WireDownloader }) {
  const text = words.value.firstSteps
  return (
    <li>
      <span class={of.reachable ? 'good' : 'bad'}>
        <Icon name={of.reachable ? 'm-on' : 'm-bad'} />
      </span>
      <span class="grow">
        <a class="t link" href={`#/downloaders/${of.id}`}>
          {of.name}
        </a>
        <span class="s">
          {of.reachable ? (
            <>
              {of.version === undefined ? null : `${of.version} · `}
              {text.speeds(joined(speedAmount(of.upload_speed)), joined(speedAmount(of.download_speed)))}
              {of.free_space < 0 ? null : ` · ${words.value.downloaders.freeShort(joined(bytesAmount(of.free_space)))}`}
            </>
          ) : of.reason === undefined ? (
            words.value.downloaders.unreachable
          ) : (
            <ReasonWords reason={of.reason} />
          )}
        </span>
      </span>
    </li>
  )
}

export function FirstSteps() {
  const text = words.value.firstSteps
  const fleet = useResource('downloaders', fetchDownloaders, downloadersEveryMs)
  const metadata = useResource('metadata', fetchMetadataSettings)
  const libraries = useResource('libraries', fetchLibraries)
  const downloaders = fleet.state.value.data?.items
  const folders = libraries.state.value.data?.items
  const steps: readonly Step[] = [
    ['downloader', downloaders === undefined ? undefined : downloaders.length > 0],
    ['site', false],
    ['provider', metadata.state.value.data?.has_api_key],
    ['folders', folders === undefined ? undefined : folders.length > 0],
  ]
  const done = steps.filter(([, isDone]) => isDone === true).length
  /** The first one that is left is the one to take. */
  const next = steps.find(([, isDone]) => isDone === false)?.[0]
  return (
    <div class="cols">
      <section class="sec">
        <header>
          <h2>{text.title}</h2>
          <span class="n" role="status">
            {text.progress(grouped(done), grouped(steps.length))}
          </span>
        </header>
        <p class="muted">{text.lead}</p>
        <ol class="rows steps first-steps">
          {steps.map(([name, isDone]) => (
            <li key={name} class={isDone === true ? 'done' : name === next ? 'now' : 'next'}>
              <span class={isDone === true ? 'good' : name === next ? 'acc' : 'faint'}>
                <Icon name={isDone === true ? 'check' : name === next ? 'm-part' : 'm-guess'} />
              </span>
              <span class="grow">
                <b class="t">
                  {text.steps[name]}
                  {isDone === true ? <span class="vh"> {text.isDone}</span> : null}
                </b>
                <span class="s">
                  {isDone === true && name === 'downloader'
                    ? (downloaders ?? []).map((one) => one.name).join(', ')
                    : text.whatFor[name]}
                  {isDone !== true && name === 'provider' ? <MetadataKeyLink /> : null}
                </span>
              </span>
              {isDone === true ? null : (
                <a class={name === next ? 'btn primary' : 'btn'} href={places[name]}>
                  {text.doIt[name]}
                </a>
              )}
            </li>
          ))}
        </ol>
      </section>
      {downloaders === undefined || downloaders.length === 0 ? null : (
        <section class="sec">
          <header>
            <h2>{words.value.screens.downloaders}</h2>
            <span class="n">{grouped(downloaders.length)}</span>
            <span class="end">
              <a class="link" href="#/torrents">
                {words.value.screens.torrents}
              </a>
            </span>
          </header>
          <ul class="rows">
            {downloaders.map((one) => (
              <Downloader key={one.id} of={one} />
            ))}
          </ul>
        </section>
      )}
    </div>
  )
}
