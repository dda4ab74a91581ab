/** How one site is asked, what it calls its figures and where its pages are: for a site that is not as others are. */

import { TextArea, TextField } from '#shared/pages/field.tsx'
import {
  siteHeadersMax,
  siteHeaderValueCharactersMax,
  siteHostCharactersMax,
  siteHostsMax,
  siteLabelCharactersMax,
  siteLabelsMax,
  sitePathCharactersMax,
} from '../../limits.ts'
import { words } from '../locales/words.ts'
import { labelNames, type OverrideDraft, pathNames } from '../model/site-overrides.ts'

export function SiteOverrideFields(props: {
  draft: OverrideDraft
  set: (change: Partial<OverrideDraft>) => void
  /** Whether the site is read from pages. */
  hasPages: boolean
  headersError: string | undefined
  hostsError: string | undefined
}) {
  const { draft, set } = props
  const text = words.value.siteForm
  const pages = (
    <>
      <details>
        <summary>{text.labelsTitle}</summary>
        <p class="hint">{text.labelsHint}</p>
        <div class="three-f">
          {labelNames.map((name) => (
            <TextField
              key={name}
              label={text.labels[name]}
              value={draft.labels[name]}
              onText={(value) => set({ labels: { ...draft.labels, [name]: value } })}
              maxLength={siteLabelsMax * (siteLabelCharactersMax + 2)}
            />
          ))}
        </div>
      </details>
      <details>
        <summary>{text.pathsTitle}</summary>
        <p class="hint">{text.pathsHint}</p>
        <div class="three-f">
          {pathNames.map((name) => (
            <TextField
              key={name}
              label={text.paths[name]}
              address
              value={draft.paths[name]}
              onText={(value) => set({ paths: { ...draft.paths, [name]: value } })}
              maxLength={sitePathCharactersMax}
            />
          ))}
        </div>
      </details>
    </>
  )
  return (
    <>
      <TextArea
        label={text.headers}
        rows={3}
        value={draft.headers}
        onText={(headers) => set({ headers })}
        maxLength={siteHeadersMax * siteHeaderValueCharactersMax}
        hint={text.headersHint}
        error={props.headersError}
      />
      <TextField
        label={text.hosts}
        address
        value={draft.hosts}
        onText={(hosts) => set({ hosts })}
        maxLength={siteHostsMax * (siteHostCharactersMax + 10)}
        hint={text.hostsHint}
        error={props.hostsError}
      />
      {props.hasPages ? pages : null}
    </>
  )
}
