/** Films and series that do not exist, as the metadata provider would list them. */
import type { WireExploreItem } from '../../workers/app/contract/explore.ts'

const lines: readonly (readonly [title: string, original: string, year: number, overview: string, rating: number])[] = [
  ['盐路', 'The Salt Road', 2026, '一支商队沿着干涸的海床北上，寻找传说中的最后一口井。', 8.1],
  ['潮汐之下', 'Below the Tide', 2026, '海水退去的那一夜，渔村看见了自己的旧址。', 7.6],
  ['北方航道', 'Northern Passage', 2025, '', 7.9],
  ['远山来信', 'Letters from Far Hills', 2022, '邮递员二十年来第一次拆开了别人的信。', 8.4],
  ['灯塔守护者', 'Lighthouse Keepers', 2027, 'Three keepers, one lamp, and a winter without ships.', 0],
  ['静天气', 'The Quiet Weather', 2026, '气象站收到来自明天的读数。', 6.8],
  ['闸门', 'Sluice', 2023, '一座水闸，两座城，一份谁也不肯先签的协议。', 7.2],
  ['铜的季节', 'Copper Season', 2024, '矿山关闭之后，镇上的人学会了另一种挖掘。', 7],
  ['盐镇来客', 'Visitors to Salt Town', 2026, '每逢单日，旅馆里就多出一位没有登记的客人。', 6.5],
  ['The Long Inventory', 'The Long Inventory', 2021, 'A clerk counts everything in a house that keeps growing.', 7.4],
  ['玻璃码头', 'Glass Pier', 2025, '', 0],
  ['第七个仓库', 'Warehouse Seven', 2020, '货单上没有的那一箱，每年都会回来。', 7.7],
]

export function inventedTitles(): WireExploreItem[] {
  return lines.map(([title, original, year, overview, rating], at) => ({
    id: 100 + at,
    media_type: 'movie',
    title,
    original_title: original,
    year,
    ...(overview === '' ? {} : { overview }),
    ...(at === 10 ? {} : { poster_path: `/invented${at}.jpg` }),
    ...(rating === 0 ? {} : { vote_average: rating }),
    in_library: false,
    subscribed: false,
  }))
}
