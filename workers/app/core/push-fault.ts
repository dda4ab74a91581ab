import { describeSiteFault, type SiteFault } from './site-fault.ts'

/** Why a push came to no outcome. */
export type PushFailure =
  | { readonly kind: 'busy' }
  /** It ended in its middle: what came of it stands in its record, now or within a minute. */
  | { readonly kind: 'interrupted' }
  /** The torrent file was not to be had. */
  | { readonly kind: 'download'; readonly fault: SiteFault }

/** As it is shown: Chinese, without addresses and without the site's own words. */
export function describePushFailure(failure: PushFailure): string {
  switch (failure.kind) {
    case 'busy':
      return '这个站点正在推送其他种子，请稍后再试'
    case 'interrupted':
      return '推送被中断，结果请看推送记录'
    case 'download':
      return `下载种子文件失败：${describeSiteFault(failure.fault)}`
  }
}
