import { DurableObject } from 'cloudflare:workers'

export class DownloaderObject extends DurableObject {}
