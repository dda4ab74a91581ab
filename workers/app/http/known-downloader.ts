/** Whether the downloader that something is to push to is there. */
import { wrongField } from '../core/failure.ts'
import type { AppDeps } from '../ports.ts'

export const noDownloader = wrongField('downloader_id', { kind: 'none', what: 'downloader' })

/** 0 stands for the default one. */
export async function hasDownloader({ downloaders }: Pick<AppDeps, 'downloaders'>, id: number): Promise<boolean> {
  return id === 0 || (await downloaders.list()).some((downloader) => downloader.id === id)
}
