import { beforeAll, describe, test } from 'vitest'
import { uncertainBelow } from '../../../local/indexer/core/vocabulary.ts'
import { prepareLanguages } from '../../../local/indexer/extract/extract-file.ts'
import { linkSources } from '../../support/link-sources.ts'

beforeAll(() => prepareLanguages(['ruby', 'python', 'c']))

/** Calls of a project as `from to certain?`, without what a file has of itself. */
function callsOf(sources: Readonly<Record<string, string>>): string[] {
  return linkSources(sources)
    .filter((edge) => edge.kind === 'calls')
    .map((edge) => `${edge.from} ${edge.to} ${edge.confidence >= uncertainBelow ? 'certain' : 'possible'}`)
}

describe('Ruby', () => {
  test('a variable of a block is no symbol, and nothing elsewhere means it', ({ expect }) => {
    const sources = {
      'app/models/story.rb': 'class Story\n  def author\n    user.name\n    comment\n  end\nend\n',
      'spec/models/story_spec.rb':
        "describe Story do\n  user = create(:user)\n  it 'has one' do\n    comment = create(:comment)\n    user.name\n  end\nend\n",
    }

    expect(linkSources(sources).filter((edge) => /user|comment/.test(edge.to))).toEqual([])
  })

  test('a method outside of all types is certain for who loads its file, and possible for all others', ({ expect }) => {
    expect(
      callsOf({
        'config/routes.rb': "post '/stories'\n",
        'script/mail.rb': "require_relative 'post'\npost('x')\n",
        'script/post.rb': 'def post(text)\nend\n',
      }),
    ).toEqual(['config/routes.rb script/post.rb#post possible', 'script/mail.rb script/post.rb#post certain'])
  })

  test('production never means what only a test has, and a test means both', ({ expect }) => {
    const sources = {
      'app/hat.rb': 'class Hat\n  def wear\n    Fake.run\n    helper\n  end\nend\n',
      'spec/hat_spec.rb': 'class Fake\n  def self.run\n  end\nend\ndef helper\nend\nFake.run\nHat.new.wear\n',
    }

    expect(callsOf(sources).filter((one) => one.startsWith('app/'))).toEqual([])
    expect(callsOf(sources)).toEqual(
      expect.arrayContaining([
        'spec/hat_spec.rb spec/hat_spec.rb#Fake::run certain',
        'spec/hat_spec.rb app/hat.rb#Hat::wear certain',
      ]),
    )
  })

  test('a class that several files open is one, with the members of all of them', ({ expect }) => {
    const sources = {
      'a.rb': 'module Site\n  class Page < Base\n    def one\n    end\n  end\nend\n',
      'b.rb': 'module Site\n  class Page\n    def two\n    end\n  end\nend\n',
      'c.rb': 'def run\n  page = Site::Page.new\n  page.one\n  page.two\nend\n',
    }

    expect(callsOf(sources)).toEqual(['c.rb#run a.rb#Site::Page::one certain', 'c.rb#run b.rb#Site::Page::two certain'])
  })

  test('classes of one name that each say what they inherit from are several, and none of them is certain', ({
    expect,
  }) => {
    const sources = {
      'a.rb': 'class Post < Base\n  def go\n  end\nend\n',
      'b.rb': 'class Post < Other\n  def go\n  end\nend\n',
      'c.rb': 'def run\n  Post.new.go\nend\n',
    }

    expect(callsOf(sources)).toEqual(['c.rb#run a.rb#Post::go possible', 'c.rb#run b.rb#Post::go possible'])
  })
})

test('a definition of C in a test is not what production calls', ({ expect }) => {
  expect(
    callsOf({
      'src/a.c': 'int run(void) { return close_all(); }\n',
      'src/b.c': 'int close_all(void) { return 0; }\n',
      'tests/stub.c': 'int close_all(void) { return 1; }\n',
    }),
  ).toEqual(['src/a.c#run src/b.c#close_all certain'])
})

describe('Python', () => {
  test.for([
    ['a package of the same name as one outside', 'src/flask/json/__init__.py', []],
    ['a script beside a module', 'tools/run.py', ['tools/run.py tools/json.py#dumps certain']],
  ] as const)('an absolute import in %s', ([, path, calls], { expect }) => {
    const sources = {
      'src/flask/__init__.py': '',
      'src/flask/json/__init__.py': 'def dumps(x):\n    pass\n',
      'src/flask/json/tag.py': '',
      'tools/json.py': 'def dumps(x):\n    pass\n',
      [path]: `import json\njson.dumps(1)\n${path.endsWith('__init__.py') ? 'def dumps(x):\n    pass\n' : ''}`,
    }

    expect(callsOf(sources)).toEqual(calls)
  })
})
