/** What stands around the document; the document itself is English. */
const english = {
  title: 'App API',
  file: 'openapi.json',
  console: 'Console',
  contents: 'Contents',
  loading: 'Loading…',
  failed: 'The description could not be loaded.',
  retry: 'Try again',
  takes: 'Takes',
  answers: 'Answers',
  example: 'Example',
  refuses: 'Refusals',
  field: 'Field',
  type: 'Type',
  required: 'required',
  read: 'Read',
  operate: 'Operate',
  skip: 'Skip to content',
}
type DocsWords = typeof english

const chinese: DocsWords = {
  title: 'App 接口',
  file: 'openapi.json',
  console: '控制台',
  contents: '目录',
  loading: '正在加载…',
  failed: '无法加载接口文档。',
  retry: '重试',
  takes: '参数',
  answers: '返回',
  example: '示例',
  refuses: '错误',
  field: '字段',
  type: '类型',
  required: '必填',
  read: '只读',
  operate: '操作',
  skip: '跳到正文',
}

export const docsWords = { en: english, zh: chinese } as const
