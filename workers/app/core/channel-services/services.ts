/** The services there are, in the order in which they are offered. A new one is a file beside this and its line here. */
import { bark } from './bark.ts'
import { dingtalk } from './dingtalk.ts'
import { discord } from './discord.ts'
import { feishu } from './feishu.ts'
import { gotify } from './gotify.ts'
import { ntfy } from './ntfy.ts'
import { pushdeer } from './pushdeer.ts'
import { pushover } from './pushover.ts'
import { pushplus } from './pushplus.ts'
import { serverchan } from './serverchan.ts'
import type { ChannelService } from './service.ts'
import { slack } from './slack.ts'
import { wecom } from './wecom.ts'

const services = [
  ntfy,
  gotify,
  bark,
  serverchan,
  wecom,
  dingtalk,
  feishu,
  discord,
  slack,
  pushover,
  pushplus,
  pushdeer,
] as const satisfies readonly ChannelService[]

export type ServiceType = (typeof services)[number]['type']
interface KnownService extends ChannelService {
  readonly type: ServiceType
}
export const channelServices: readonly KnownService[] = services
export const serviceTypes: readonly ServiceType[] = services.map(({ type }) => type)

const byType = Object.fromEntries(channelServices.map((service) => [service.type, service])) as Record<
  ServiceType,
  KnownService
>

export function serviceOf(type: ServiceType): KnownService {
  return byType[type]
}

export function isServiceType(type: string): type is ServiceType {
  return Object.hasOwn(byType, type)
}
