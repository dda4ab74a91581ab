import { parse } from 'smol-toml'
import { type PriceList, readPriceList, sayPriceFault } from '#shared/models/price-list.ts'
import { builtInRegistry } from './gateway/registry-source.ts'

let kept: PriceList | undefined

/** What models cost and take, by the table that comes with the gateway: the agent server keeps none of its own. */
export function modelPrices(): PriceList {
  if (kept === undefined) {
    const read = readPriceList(parse(builtInRegistry('prices.toml')))
    if (!read.ok) throw new Error(`prices.toml ${sayPriceFault(read.failure)}`)
    kept = read.value
  }
  return kept
}
