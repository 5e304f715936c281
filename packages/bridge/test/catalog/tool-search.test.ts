import { expect, test } from 'vitest'
import { Catalog } from '../../src/catalog/catalog.ts'
import { ToolSearch } from '../../src/catalog/search/tool-search.ts'
import { wordsOf } from '../../src/catalog/search/words.ts'
import { estimateTokens } from '../../src/catalog/estimate-tokens.ts'
import { createEmit } from '../../src/journal/events/emit.ts'
import { countCalls } from '../count-calls.ts'
import { manyServers } from './schemas/many-tools.ts'

type Tools = Parameters<Catalog['show']>[0]

function searching(servers: Tools): { readonly search: ToolSearch; readonly catalog: Catalog } {
  const catalog = new Catalog(createEmit(undefined))
  catalog.show(servers)
  return { search: new ToolSearch(catalog), catalog }
}

const inputSchema = { type: 'object' }
const files = {
  name: 'files',
  tools: [
    { name: 'readFile', description: 'Reads the contents of one file.', inputSchema },
    { name: 'write_file', description: 'Writes a file and reads nothing.', inputSchema },
    { name: 'list-directories', title: 'Folders', inputSchema },
  ],
}
const mail = {
  name: 'mail',
  tools: [
    {
      name: 'send',
      description: 'Sends a message.',
      inputSchema: { type: 'object', properties: { recipientAddress: {}, subject: {} } },
    },
    { name: '検索する', description: '受信箱を検索する', inputSchema },
  ],
}

function found(query: string, limit?: number): readonly string[] {
  const { search } = searching([files, mail])
  return search.search(query, limit === undefined ? {} : { limit }).matches.map(({ tool }) => tool.rawName)
}

test('names are split into words however they are written', () => {
  expect(wordsOf('readFile write_file list-directories HTTPServer2')).toEqual([
    'read',
    'file',
    'write',
    'file',
    'list',
    'directory',
    'http',
    'server',
    '2',
  ])
})

test('the name counts most, and titles, descriptions and names of arguments are searched too', () => {
  expect(found('read file')[0]).toBe('readFile')
  expect(found('folder')).toEqual(['list-directories'])
  expect(found('recipient')).toEqual(['send'])
  expect(found('files mail').toSorted()).toContain('send')
})

test('a beginning of a word finds it, plural finds singular, and other scripts are searched', () => {
  expect(found('direct')).toEqual(['list-directories'])
  expect(found('messages')).toEqual(['send'])
  expect(found('検索')).toEqual(['検索する'])
})

test('the limit holds, and words that nothing has are named', () => {
  expect(found('file', 1)).toHaveLength(1)
  const { search } = searching([files, mail])
  expect(search.search('read quantum file')).toMatchObject({ unmatched: ['quantum'] })
  expect(search.search('')).toEqual({ matches: [], unmatched: [] })
})

test('the index follows the catalog, and tools that are not for models are not found', () => {
  const { search, catalog } = searching([files])
  expect(search.search('send').matches).toEqual([])
  const hidden = { name: 'send_page', inputSchema, _meta: { ui: { visibility: ['app'] } } }
  catalog.show([mail, { name: 'app', tools: [hidden] }])
  expect(search.search('send').matches.map(({ tool }) => tool.name)).toEqual(['mail__send'])
  expect(search.search('read').matches).toEqual([])
})

test('searching many tools costs little of what indexing them does, and so does a change of one server', () => {
  const servers = manyServers(20, 50)
  const { search, catalog } = searching(servers)
  const [first, ...others] = servers
  const fewer = [{ name: first?.name ?? '', tools: (first?.tools ?? []).slice(1) }, ...others]
  const [indexing, oneSearch, , searchAfterChange] = countCalls(
    () => search.search('warm up'),
    () => search.search('create issue 7 comment in repository'),
    () => catalog.show(fewer),
    () => search.search('create issue'),
  )
  expect(oneSearch).toBeLessThan(indexing / 10)
  expect(searchAfterChange).toBeLessThan(indexing / 5)
})

test('the estimate of tokens stays near published counts', () => {
  // Counts of OpenAI's o200k and cl100k encodings, as OpenAI's cookbook gives them.
  const published = [
    ['antidisestablishmentarianism', 6],
    ['2 + 2 = 4', 7],
    ['お誕生日おめでとう', 9],
  ] as const
  for (const [text, tokens] of published) {
    expect(estimateTokens(text)).toBeGreaterThanOrEqual(tokens * 0.6)
    expect(estimateTokens(text)).toBeLessThanOrEqual(tokens * 1.4)
  }
  expect(estimateTokens('')).toBe(0)
})

test('a tool with a name without end keeps nobody from searching', () => {
  const { search } = searching([
    files,
    { name: 'endless', tools: [{ name: '文'.repeat(200_000), title: 'x'.repeat(200_000), inputSchema }] },
  ])
  expect(search.search('read file').matches[0]?.tool.rawName).toBe('readFile')
})
