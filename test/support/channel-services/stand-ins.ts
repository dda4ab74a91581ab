/** The services that take messages; each names its source and version in its own file. */
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
import { slack } from './slack.ts'
import type { StandInService } from './stand-in.ts'
import { wecom } from './wecom.ts'

export const serviceStandIns: readonly StandInService[] = [
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
]
