/** How a figure of an account is read from what a page says of it. Undefined for what is none, or may be another one. */
import type { Document, Element } from 'domhandler'
import { textContent } from 'domutils'
import { plainText, readCount, readNumber, readSize } from '../../../core/site-numbers.ts'
import { accountCellCharactersMax, accountHeadCharactersMax } from '../../../limits.ts'
import { descendants, spacedText } from '../markup.ts'
import type { AccountWords } from './account-words.ts'

/**
 * Stock pages write amounts with two or three digits behind the point. One comma before three digits may be that point,
 * so it is no figure here.
 */
export const isTwofold = (text: string) => /^\s{0,3}[0-9]{1,3},[0-9]{3}(?![0-9,.])/.test(text)

export const sizeOf = (text: string) => (isTwofold(text) ? undefined : readSize(text))

export const fractionOf = (text: string) => (isTwofold(text) ? undefined : readNumber(text))

/** An amount is of another label, which was lost. */
export function ratioIn(text: string): number | undefined {
  return /b\s*$/i.test(text) ? undefined : fractionOf(text)
}

/** A number that comes first, and beside it words or brackets: another number beside it may be the one that is meant. */
export function loneNumber(text: string): number | undefined {
  const found =
    /^\s{0,3}([0-9][0-9.,]{0,32})\s{0,3}(?:$|[[(（]|(?![KMGTPE]?i?B(?![a-z]))[^\d%/:：.,'\u2019-][^\d]*(?:$|[[(（]))/i.exec(
      text,
    )?.[1]
  return found === undefined ? undefined : readNumber(found)
}

/** `bonus: 12.3`, by the word that says most where several do. */
export function bonusIn(text: string, { heads, blockBonus }: AccountWords): number | undefined {
  const found = [...text.matchAll(blockBonus)].map(([, word = '', value = '']) => {
    const rank = heads.bonus.findIndex((one) => one.toLowerCase() === word.toLowerCase().replace(/\s/g, ' '))
    return { rank, value: readNumber(value) }
  })
  const first = Math.min(...found.map(({ rank }) => rank))
  return agreed(found.filter(({ rank }) => rank === first).map(({ value }) => value))
}

/**
 * `inspected/unreached/limit`, once or for each section. Other pages say how many, or how many of the limit; where the
 * software's own link is, two numbers are a piece of its three.
 */
export function unreached(text: string, isStock: boolean): number | undefined {
  // A cell of a few words. One that holds more has got other parts of the page.
  if (text.length > accountHeadCharactersMax) return undefined
  const sections = [...text.matchAll(/([0-9]{1,9})\s{0,3}\/\s{0,3}([0-9]{1,9})\s{0,3}\/\s{0,3}[0-9]{1,9}/g)]
  if (sections.length > 0) return sections.reduce((sum, [, , count]) => sum + Number(count), 0)
  const ofLimit = isStock ? null : /^\s{0,3}([0-9]{1,9})\s{0,3}\/\s{0,3}([0-9]{1,9})\s{0,3}$/.exec(text)
  // Nobody has more than the limit: the second number is none.
  if (ofLimit !== null && Number(ofLimit[1]) > Number(ofLimit[2])) return undefined
  return readCount((ofLimit ?? /^\s{0,3}([0-9,]{1,12})\s{0,3}(?:$|[(（])/.exec(text))?.[1] ?? '')
}

const sizes = /[0-9][0-9.,]{0,24}\s{0,4}[KMGTPE]?i?B(?![a-z])/gi

/** Before a size that is all of them together: a count, and words for the sum. */
const beforeSum =
  /^(?:[\s0-9,.|/()（）:：，、共总總计計个個条條项項种種子大小体體积積]|torrents?|records?|total|size|of)*$/i

/** The only size in a text, at its beginning or behind a count. Undefined for two: one would be taken for the other. */
export function onlySize(text: string): number | undefined {
  const told = text.replace(/\[[^\]]*\]/g, ' ')
  const [found, ...others] = told.match(sizes) ?? []
  const isSum = found !== undefined && beforeSum.test(told.slice(0, told.indexOf(found)))
  return !isSum || others.length > 0 ? undefined : sizeOf(found)
}

/** The only number in a text, its sizes aside, where it comes first or counts something. */
export function countBesideSize(text: string): number | undefined {
  const told = text.replace(sizes, ' ').replace(/\[[^\]]*\]|\(\s{0,3}[0-9.]{1,6}\s{0,3}%\s{0,3}\)/g, ' ')
  const [found, ...others] = told.match(/[0-9][0-9.,]*/g) ?? []
  const isCount = /^\s*[0-9]/.test(told) || /[0-9]\s{0,3}(?:个|個|条|條|项|項|torrent|record)/i.test(told)
  // Half a torrent is another figure.
  return found === undefined || found.includes('.') || others.length > 0 || !isCount ? undefined : readCount(found)
}

/** The same figure may stand in several places; one that differs makes all of them doubtful. */
export function agreed(values: readonly (number | undefined)[]): number | undefined {
  const [first, ...others] = values.filter((value) => value !== undefined)
  return others.every((value) => value === first) ? first : undefined
}

export function isOneOf(names: readonly string[], text: string): boolean {
  return names.some((name) => name.toLowerCase() === text)
}

export function present<Name extends string, Value>(
  name: Name,
  value: Value | undefined,
): { readonly [key in Name]?: Value } {
  return (value === undefined ? {} : { [name]: value }) as { readonly [key in Name]?: Value }
}

export const textOf = (cell: Element) => plainText(spacedText(cell), accountCellCharactersMax)

/** What stands for a count: by the software's class or alternative text, or by what it is called where a theme has others. */
export interface CountMark {
  readonly picture: RegExp
  readonly called: RegExp
}

export const seedingMark: CountMark = {
  picture: /arrowup|uploading files/i,
  called: /^(?:当前做种|當前做種|目前做種|做种数|做種數|torrents\s?seeding)数?$/i,
}

export const leechingMark: CountMark = {
  picture: /arrowdown|downloading files/i,
  called: /^(?:当前下载|當前下載|目前下載|正在下载|下载数|下載數|torrents\s?leeching)数?$/i,
}

/** The number that stands after a small picture. */
export function countAfterMark(block: Document | Element, { picture, called }: CountMark): number | undefined {
  const inside = descendants(block)
  const mark =
    inside.find(
      ({ name, attribs: { class: classText = '', alt = '', src = '' } }) =>
        name === 'img' && picture.test(`${classText} ${alt} ${src}`),
    ) ?? inside.find((one) => isSign(one) && called.test(calledIn(one)))
  return mark === undefined ? undefined : readCount(countAhead.exec(textAfter(mark))?.[1] ?? '')
}

/** Its word may stand before the number. */
const countAhead = /^(?:(?:做种|做種|下载|下載)[数數]\s?[:：]\s?)?([0-9,]{1,12})/

/** A picture, a letter of a font of signs, or nothing but its colour. */
function isSign(element: Element): boolean {
  return element.name === 'svg' || !/[\p{L}\p{N}]/u.test(textContent(element))
}

function calledIn(element: Element): string {
  const { title, alt } = element.attribs
  return plainText(element.name === 'svg' ? textContent(element) : (title ?? alt ?? ''), 64)
}

/** The first text beside a node that is not blank. */
export function textAfter(node: Element): string {
  let text = ''
  for (let next = node.next; next !== null && text.trim() === ''; next = next.next) text = textContent(next)
  return text.trim().slice(0, 64)
}
