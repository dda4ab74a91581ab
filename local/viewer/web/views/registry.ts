/** The first view comes with the page, the others in a module that is read when one of them is first needed. */
import type { ComponentType } from 'preact'
import type { Route, ViewName } from '../model/address.ts'
import { HomeView } from './home.tsx'

/** It gets the address; everything else it asks for itself. */
export type View = ComponentType<{ route: Route }>

let further: Readonly<Record<Exclude<ViewName, 'home'>, View>> | undefined

export function loadedView(name: ViewName): View | undefined {
  return name === 'home' ? HomeView : further?.[name]
}

export async function loadViews(): Promise<void> {
  further = (await import('./further.ts')).furtherViews
}
