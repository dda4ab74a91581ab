import type { Words } from '../english.ts'
import { grouped } from '../numbers.ts'

export const routes: Words['routes'] = {
  title: '路由',
  about: '程序的每个地址和响应它的符号。',
  shown: (shown, total) =>
    shown === total ? `${grouped(total)} 条路由` : `${grouped(total)} 条路由，显示 ${grouped(shown)} 条`,
  leftOut: (left) => `有 ${grouped(left)} 条未显示：超出上限，由测试或生成的代码响应，或索引不认识其响应者。`,
  top: (routes, file) => `其中 ${grouped(routes)} 条由 ${file} 响应。`,
  address: '地址',
  handler: '响应者',
  declared: '声明于',
  anyMethod: '任意',
  handed: '框架交给代码的网址',
  handedShown: (shown, total) =>
    shown === total ? `${grouped(total)} 个网址` : `${grouped(total)} 个网址，显示 ${grouped(shown)} 个`,
  ofFramework: (name, handlers) => `${name} ${grouped(handlers)}`,
  unknownHandler: '未知',
  unnamed: '无名函数',
  inside: '其中的函数',
  guessed: '可能',
  end: '前缀未知',
  endAbout: '其路由器被传给别处，代码中没有写明挂在哪里。',
  filter: '按地址或符号筛选',
  filterNone: (text) => `没有路由的地址或符号含“${text}”。`,
  clear: '清除筛选',
  noneTitle: '没有路由图',
  noneBody: (routes) =>
    `${routes === 0 ? '没有发现路由' : `只发现 ${grouped(routes)} 条路由`}；至少需要三条已知响应者的路由。可识别 React Router、Next.js pages、Vue Router 和 NestJS 控制器。也没有其他已知框架把网址交给这里的代码。`,
  noneAction: '入口',
}
