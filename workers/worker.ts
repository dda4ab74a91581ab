/** The Worker script: picks the family by path prefix and hands the request over whole. */
export { DownloaderObject } from './app/objects/downloader-object.ts'

export default {
  async fetch(): Promise<Response> {
    return Response.json({ error: 'not_found', message: '没有这个地址' }, { status: 404 })
  },
} satisfies ExportedHandler
