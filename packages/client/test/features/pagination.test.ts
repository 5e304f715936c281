import { describe, expect, test } from 'vitest'
import { connectedTo, eras, paramsOf } from '../support/both-eras.ts'
import { Refusal } from '../support/scripted-server.ts'

const tools = (names: readonly number[]): object[] =>
  names.map((name) => ({ name: `tool-${name}`, inputSchema: { type: 'object' } }))

describe.each(eras)('in %s', (era) => {
  test('a hundred pages of ten arrive whole and in order [B8]', async () => {
    const { client, server } = await connectedTo(era, { tools: {} }, { 'tools/list': tenPerPage(100) })
    const listed = await client.listTools()
    expect(listed.map(({ name }) => name)).toEqual(
      Array.from({ length: 1_000 }, (_, index) => `tool-${index}`),
    )
    expect(
      server.received.filter((message) => 'method' in message && message.method === 'tools/list'),
    ).toHaveLength(100)
  })

  test('every list is followed over its pages, and an empty cursor is a cursor [S4-64] [S4-74] [B8]', async () => {
    const list = (key: string, entry: (name: string) => object) => (request: { params?: unknown }) =>
      paramsOf(request)['cursor'] === '' ? { [key]: [entry('b')] } : { [key]: [entry('a')], nextCursor: '' }
    const { client } = await connectedTo(
      era,
      { resources: {}, prompts: {} },
      {
        'resources/list': list('resources', (name) => ({ name, uri: `x:${name}` })),
        'resources/templates/list': list('resourceTemplates', (name) => ({
          name,
          uriTemplate: `x:{${name}}`,
        })),
        'prompts/list': list('prompts', (name) => ({ name })),
      },
    )
    const names = (entries: readonly { name: string }[]): string[] => entries.map(({ name }) => name)
    expect(names(await client.listResources())).toEqual(['a', 'b'])
    expect(names(await client.listResourceTemplates())).toEqual(['a', 'b'])
    expect(names(await client.listPrompts())).toEqual(['a', 'b'])
  })

  test('a cursor that the server refuses midway leads to one more reading from the start', async () => {
    let refusals = 1
    const page = tenPerPage(3)
    const { client, warnings } = await connectedTo(
      era,
      { tools: {} },
      {
        'tools/list': (request) =>
          paramsOf(request)['cursor'] === '2' && refusals-- > 0 ? new Refusal(-32602) : page(request),
      },
    )
    expect(await client.listTools()).toHaveLength(30)
    expect(warnings).toEqual([expect.stringContaining('read again from the start')])
  })

  test('a server that refuses its cursors every time is not asked for ever', async () => {
    const page = tenPerPage(3)
    const { client } = await connectedTo(
      era,
      { tools: {} },
      {
        'tools/list': (request) =>
          paramsOf(request)['cursor'] === '1' ? new Refusal(-32602) : page(request),
      },
    )
    await expect(client.listTools()).rejects.toMatchObject({ kind: 'peer', code: -32602 })
  })

  test('the cap on pages is the host’s to set', async () => {
    const { client, warnings } = await connectedTo(
      era,
      { tools: {} },
      { 'tools/list': tenPerPage(100) },
      { maxPages: 3 },
    )
    expect(await client.listTools()).toHaveLength(30)
    expect(warnings).toEqual([expect.stringContaining('more than 3 pages')])
  })
})

function tenPerPage(pages: number): (request: { params?: unknown }) => object {
  return (request) => {
    const page = Number(paramsOf(request)['cursor'] ?? 0)
    const names = Array.from({ length: 10 }, (_, index) => page * 10 + index)
    return { tools: tools(names), ...(page + 1 < pages ? { nextCursor: String(page + 1) } : {}) }
  }
}
