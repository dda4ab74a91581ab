/**
 * What a site says where it lets nobody in, in the sentences of its software, so that its owner is not sent to sign in again
 * where that changes nothing. Sources: xiaomlove/nexusphp at a514ed57 (`lang_functions.php` of each language), tbdevnet/tbdev at
 * 965e99d8, yunasc/tbdev at 7f757ec3, cybernet/CyBerFuN-xBTiT at 1352351e, stivi05/XbtitFM-3.1 at 42fa7ad6, Empornium/Luminance
 * at 23b568c1 (`IPRepository.php`, `errors`), HDInnovations/UNIT3D at 8b88f4c8 (`BlockIpAddress.php`, `auth.php` of each language),
 * OPSnet/Gazelle at 71b45155 (`gazelle.php`), torrentpier/torrentpier at 87f6853b; the last of the addresses are those of
 * the service that shields many sites.
 */
import type { SiteFault } from '../../core/site-fault.ts'
import { siteRefusalCharactersMax } from '../../limits.ts'
import { parseMarkup, spacedText } from './markup.ts'

const addressBanned = [
  'unauthorized ip address',
  '未授权的ip地址',
  '未授權的ip地址',
  'your ip address has been banned',
  'your ip has been banned',
  'your ip is banned for',
  /your access to .{1,64} has been restricted\./,
  'has banned your ip address',
  'has banned the country or region your ip address is in',
]
const accountDisabled = [
  'this account is banned',
  'akaun ini telah di',
  'bu hesap banlandı',
  'ce compte est banni',
  'denne konto er udelukket',
  'denne kontoen er bannlyst',
  'dieser account wurde gebannt',
  'essa conta foi banida',
  'questo account è bannato',
  'váš účet je zabanován',
  'esta cuenta está prohibida',
  'λογαριασμός έχει γινει ban',
  'овај налог је забрањен',
  'цей профіль заблоковано',
  'החשבון הזה נחסם',
  '此帐户已被封禁',
  '此帳戶已封',
  'вы забанены на трекере',
  'you have been banned from this forum',
]
const accountParked = [
  'your account is parked',
  'your account is currently parked',
  'ditt konto är för närvarande parkerat',
  '你的帐户处于封存中',
  '你的帳戶處於封存中',
  'ваш аккаунт припаркован',
]
const inMaintenance = [
  'site is down for maintenance',
  'forum is down for maintenance',
  'this forum is disabled. try to come back later',
  '站点关闭维护中',
  '站點關閉維護中',
  'scheduled maintenance',
]

const sayings: readonly (readonly [says: readonly (string | RegExp)[], fault: SiteFault])[] = [
  [addressBanned, { kind: 'address_banned' }],
  // The feed of the most used software says both in one sentence, and one of them with a letter less.
  [['account disabed or parked', 'account disabled or parked'], { kind: 'account_closed', state: 'either' }],
  [accountDisabled, { kind: 'account_closed', state: 'disabled' }],
  [accountParked, { kind: 'account_closed', state: 'parked' }],
  [inMaintenance, { kind: 'maintenance' }],
]

/**
 * To be asked where something else came than what was asked for: any page may have such a sentence among others. One that
 * says more than a refusal does is no refusal.
 */
export function saidRefusal(text: string): SiteFault | undefined {
  const shown = /<[a-z!]/i.test(text) ? spacedText(parseMarkup(text)) : text
  const said = shown.replace(/\s+/g, ' ').toLowerCase()
  if (said.length > siteRefusalCharactersMax) return undefined
  const isSaid = (one: string | RegExp) => (typeof one === 'string' ? said.includes(one) : one.test(said))
  return sayings.find(([says]) => says.some(isSaid))?.[1]
}
