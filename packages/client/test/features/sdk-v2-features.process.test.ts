import { fixtureServers, type HttpFixture, startHttpFixture } from '@toolbridge/testkit/servers'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { connectMcp, isResourceNotFound, type McpConnection, samplingHandler } from '../../src/index.ts'
import { Heard } from '../support/heard.ts'

const modes = [
  { transport: 'stdio', era: 'modern', version: '2026-07-28', asks: true },
  { transport: 'stdio', era: 'legacy', version: '2025-11-25', asks: true },
  { transport: 'HTTP', era: 'modern', version: '2026-07-28', asks: true },
  // Without a session there is nobody to put a question to.
  { transport: 'HTTP', era: 'legacy', version: '2025-11-25', asks: false },
] as const

describe.each(modes)(
  'version 2 of the official SDK over $transport, $era',
  ({ transport, era, version, asks }) => {
    const heard = new Heard()
    let fixture: HttpFixture | undefined
    let connection: McpConnection

    beforeAll(async () => {
      fixture = transport === 'HTTP' ? await startHttpFixture('catalogue', { era }) : undefined
      const program = { command: process.execPath, args: [fixtureServers.catalogue, '--era', era] }
      connection = await connectMcp(fixture ?? program, {
        logLevel: 'info',
        onNotification: heard.take,
        onSampling: samplingHandler({ model: 'poet', complete: async () => ({ content: 'Roses are red.' }) }),
        roots: [{ uri: 'file:///work' }],
      })
    })

    afterAll(async () => {
      await connection.close()
      await fixture?.close()
    })

    test('lists its tools in the revision that it speaks [F1]', () => {
      expect(connection.client.info?.protocolVersion).toBe(version)
      const listed = connection.tools.map(({ definition }) => definition.name)
      expect(listed).toEqual(['count', 'write_poem', 'look_around'])
    })

    test('lists resources and templates, and lets them be read [F5]', async () => {
      const { client } = connection
      expect((await client.listResources()).map(({ uri }) => uri)).toContain('book://emma')
      expect(await client.listResourceTemplates()).toMatchObject([{ uriTemplate: 'book://{title}' }])
      expect(await client.readResource('book://emma')).toMatchObject({
        contents: [{ text: 'This is emma.' }],
      })
      const missing: unknown = await client.readResource('film://emma').catch((error: unknown) => error)
      expect(isResourceNotFound(missing)).toBe(true)
    })

    test('lists prompts, fills them in and completes their arguments [F7 F8]', async () => {
      const { client } = connection
      expect(await client.listPrompts()).toMatchObject([{ name: 'review' }])
      expect(await client.getPrompt('review', { title: 'emma' })).toMatchObject({
        messages: [{ content: { text: 'Please review emma.' } }],
      })
      const prompt = { type: 'ref/prompt', name: 'review' } as const
      const argument = { name: 'title', value: 'u' }
      expect((await client.complete({ ref: prompt, argument })).values).toEqual(['ulysses', 'utopia'])
      const template = { type: 'ref/resource', uri: 'book://{title}' } as const
      expect((await client.complete({ ref: template, argument })).values).toEqual(['ulysses', 'utopia'])
    })

    test('reports progress and, if that was wished for, logs [B9 F9]', async () => {
      const seen: number[] = []
      await connection.client.callTool(
        'count',
        { to: 3 },
        { onProgress: ({ progress }) => seen.push(progress) },
      )
      expect(seen).toEqual([1, 2, 3])
      // A server that keeps nothing between requests has forgotten the wish.
      if (version === '2026-07-28' || asks) {
        expect(await heard.first('notifications/message')).toMatchObject({ data: 'counted to 3' })
      }
    })

    test('ends a call that is given up [B6]', async () => {
      const abort = new AbortController()
      const options = { signal: abort.signal, onProgress: () => abort.abort('enough') }
      await expect(connection.client.callTool('count', { to: 1_000 }, options)).rejects.toBe('enough')
      expect(await connection.client.callTool('count', { to: 1 })).toMatchObject({
        content: [{ text: 'done' }],
      })
    })

    test('has the host’s model answer and asks where it may work [F10 F11]', async () => {
      const poem = connection.client.callTool('write_poem')
      const place = connection.client.callTool('look_around')
      if (!asks) {
        expect([await poem, await place]).toMatchObject([{ isError: true }, { isError: true }])
        return
      }
      expect(JSON.stringify(await poem)).toContain('Roses are red.')
      expect(await place).toMatchObject({ content: [{ text: 'file:///work' }] })
    })
  },
)
