/** Faults of the families that talk to the outside, as reasons. */
import type { ModelFault } from '../assistant/model-fault.ts'
import type { ChannelFault } from '../channel-fault.ts'
import type { DownloaderFault } from '../downloader-fault.ts'
import type { PushFailure } from '../push-fault.ts'
import type { Service, ServiceFault } from '../service-fault.ts'
import type { SiteFault } from '../site-fault.ts'
import type { TemplateFault } from '../template-fault.ts'
import type { DownloaderKind } from '../vocabulary.ts'
import { quoted } from './quote.ts'
import type { Reason } from './reason.ts'

/** Not of HTTP: what shields a site answers so where it does not reach the site behind it. */
function isBehindDown(status: number): boolean {
  return (status >= 520 && status <= 526) || status === 530
}

export function siteReason(fault: SiteFault): Reason {
  if (fault.kind === 'status' && isBehindDown(fault.status)) return { kind: 'site.behind_down', status: fault.status }
  return { ...fault, kind: `site.${fault.kind}` } as Reason
}

export function downloaderReason(fault: DownloaderFault, program: DownloaderKind): Reason {
  if (fault.kind === 'not_this_kind') return { kind: 'downloader.not_this_kind', program }
  return { ...fault, kind: `downloader.${fault.kind}` } as Reason
}

export function serviceReason(service: Service, fault: ServiceFault): Reason {
  const facts = 'status' in fault ? { status: fault.status } : 'state' in fault ? { state: fault.state } : {}
  return { kind: `service.${fault.kind}`, service, ...facts } as Reason
}

export function channelReason(fault: ChannelFault): Reason {
  return { ...fault, kind: `channel.${fault.kind}` } as Reason
}

/** Fit for everybody who may read the conversation: nothing that the service said. */
export function modelReason(fault: ModelFault): Reason {
  const { detail: _, ...facts } = { detail: '', ...fault }
  return { ...facts, kind: `model.${fault.kind}` } as Reason
}

/** For the owner, who set the service up: with what it said. */
export function modelReasonInFull(fault: ModelFault): Reason {
  const detail = 'detail' in fault ? fault.detail : ''
  const reason = modelReason(fault)
  return detail === '' ? reason : ({ ...reason, quoted: quoted(detail).words } as Reason)
}

export function templateReason({ part, line, problem }: TemplateFault): Reason {
  return { ...problem, kind: `template.${problem.kind}`, part, line } as Reason
}

export function pushReason(failure: PushFailure): Reason {
  if (failure.kind === 'download') return { kind: 'push.download', reason: siteReason(failure.fault) }
  return { kind: `push.${failure.kind}` }
}
