/**
 * Where this page and its service are, without a slash at the end: `https://wharf.example`, `https://nas.example/wharf`; and
 * the path of that, for what is asked there. Scripts lie beside the page, so their own address tells. Both are nothing
 * while they are worked on, where each script is at the root.
 */
export const [, home = '', basePath = ''] = /^(https?:\/\/[^/]+(.*))\/assets\//.exec(import.meta.url) ?? []
