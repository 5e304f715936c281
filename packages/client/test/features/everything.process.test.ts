import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import {
  type CallToolResult,
  connectMcp,
  type ElicitRequest,
  isResourceNotFound,
  type McpConnection,
  type McpHttpConfig,
  type McpStdioConfig,
  type Root,
  samplingHandler,
  type Task,
} from '../../src/index.ts'
import { Heard } from '../support/heard.ts'
import { officialServers, startEverythingOverHttp } from '../support/official-servers.ts'

/** A connection to the official example server, with a task under way that takes its time. */
interface Everything {
  readonly connection: McpConnection
  readonly heard: Heard
  readonly questions: readonly ElicitRequest[]
  readonly roots: Root[]
  readonly task: Task
  readonly statuses: ReadonlySet<string>
  readonly report: Promise<CallToolResult>
}

const opened = new Map<string, Everything>()
let http: Awaited<ReturnType<typeof startEverythingOverHttp>>

beforeAll(async () => {
  http = await startEverythingOverHttp()
  const program = { command: process.execPath, args: [officialServers.everything, 'stdio'] }
  const open = async (transport: string, config: McpHttpConfig | McpStdioConfig): Promise<void> => {
    opened.set(transport, await openEverything(config))
  }
  await Promise.all([open('stdio', program), open('HTTP', { url: http.url })])
})

afterAll(async () => {
  for (const { connection } of opened.values()) await connection.close()
  await http.close()
})

describe.each(['stdio', 'HTTP'])('the official example server over %s', (transport) => {
  let connection: McpConnection
  let heard: Heard
  let roots: Root[]

  beforeAll(() => {
    ;({ connection, heard, roots } = everything())
  })

  test('lists its tools and has one called [F1]', async () => {
    const { client } = connection
    expect((await client.listTools()).map(({ name }) => name)).toContain('echo')
    expect(await text('echo', { message: 'hello' })).toContain('hello')
    expect(await client.callTool('get-structured-content', { location: 'Chicago' })).toMatchObject({
      structuredContent: { temperature: expect.any(Number) },
    })
  })

  test('lists resources and templates and lets them be read [C1] [F5]', async () => {
    const { client } = connection
    const [first] = await client.listResources()
    expect(first).toMatchObject({ uri: expect.any(String), name: expect.any(String) })
    expect((await client.readResource(first?.uri ?? '')).contents).toHaveLength(1)
    const templates = await client.listResourceTemplates()
    expect(templates.map(({ uriTemplate }) => uriTemplate)).toContain(
      'demo://resource/dynamic/text/{resourceId}',
    )
    const { contents } = await client.readResource('demo://resource/dynamic/blob/7')
    expect(contents).toEqual([expect.objectContaining({ blob: expect.any(String) })])
  })

  test('tells that there is no such resource [F5]', async () => {
    const reading = connection.client.readResource('demo://no/such/thing')
    const error: unknown = await reading.catch((reason: unknown) => reason)
    expect(isResourceNotFound(error)).toBe(true)
  })

  test('lists prompts and fills one in [C1] [S3-49] [F7]', async () => {
    const { client } = connection
    expect((await client.listPrompts()).map(({ name }) => name)).toContain('completable-prompt')
    const args = { department: 'Sales', name: 'Eve' }
    expect(await client.getPrompt('completable-prompt', args)).toMatchObject({
      messages: [{ role: 'user', content: { text: expect.stringContaining('Eve') } }],
    })
  })

  test('completes an argument, knowing the other one [C1] [F8]', async () => {
    const ref = { type: 'ref/prompt', name: 'completable-prompt' } as const
    const completion = await connection.client.complete({
      ref,
      argument: { name: 'name', value: 'D' },
      context: { arguments: { department: 'Sales' } },
    })
    expect(completion.values).toEqual(['David'])
    const resource = { type: 'ref/resource', uri: 'demo://resource/dynamic/text/{resourceId}' } as const
    const { values } = await connection.client.complete({
      ref: resource,
      argument: { name: 'resourceId', value: '3' },
    })
    expect(values).toEqual(['3'])
  })

  test('tells of changes of a subscribed resource [C1] [S3-49] [F6]', async () => {
    const uri = 'demo://resource/dynamic/text/1'
    await connection.client.subscribeResource(uri)
    await connection.client.callTool('toggle-subscriber-updates')
    expect(await heard.first('notifications/resources/updated')).toMatchObject({ uri })
    await connection.client.callTool('toggle-subscriber-updates')
    await connection.client.unsubscribeResource(uri)
  })

  test('reports what is grave enough, once it is told what that is [C1] [F9]', async () => {
    const uri = 'demo://resource/dynamic/text/2'
    const said = (params: unknown): boolean => JSON.stringify(params).includes(uri)
    await connection.client.setLogLevel('error')
    await connection.client.subscribeResource(uri)
    expect(heard.all('notifications/message').filter(said)).toEqual([])
    await connection.client.setLogLevel('debug')
    await connection.client.unsubscribeResource(uri)
    expect(await heard.first('notifications/message', said)).toMatchObject({ level: 'info' })
  })

  test('reports progress, and ends a call that is given up [C1] [S3-49] [B6 B9]', async () => {
    const tool = 'trigger-long-running-operation'
    const seen: number[] = []
    await connection.client.callTool(
      tool,
      { duration: 0.3, steps: 3 },
      { onProgress: ({ progress }) => seen.push(progress) },
    )
    expect(seen).toEqual([1, 2, 3])
    const abort = new AbortController()
    const options = { signal: abort.signal, onProgress: () => abort.abort('enough') }
    const longer = connection.client.callTool(tool, { duration: 30, steps: 300 }, options)
    await expect(longer).rejects.toBe('enough')
    expect(await text('echo', { message: 'still here' })).toContain('still here')
  })

  test('has a person fill in a form, with the defaults of what was left out [F12]', async () => {
    const { content } = await connection.client.callTool('trigger-elicitation-request')
    const said = JSON.stringify(content)
    expect(said).toContain('Ada')
    expect(said).toContain('dark and stormy night')
    const message = expect.stringContaining('provide inputs')
    expect(everything().questions).toContainEqual(expect.objectContaining({ message }))
  })

  test('has the model of the host answer [F11]', async () => {
    const said = await text('trigger-sampling-request', { prompt: 'sing', maxTokens: 12 })
    expect(said).toContain('"model": "parrot"')
    expect(said).toContain('"stopReason": "endTurn"')
    expect(said).toMatch(/12 of .*sing/)
  })

  test('asks for the roots, and again when they changed [C1] [F10]', async () => {
    expect(await text('get-roots-list')).toContain('file:///work')
    roots.push({ uri: 'file:///home', name: 'Home' })
    await connection.client.rootsChanged()
    await heard.first('notifications/message', (params) => JSON.stringify(params).includes('2 root(s)'))
    expect(await text('get-roots-list')).toContain('file:///home')
  })

  test('stops a task on request [S4-65] [F18]', async () => {
    const { client } = connection
    const started = await client.callToolTask('simulate-research-query', { topic: 'rust' })
    if (started.kind !== 'task') throw new Error('the call did not become a task')
    await client.cancelTask(started.task.taskId)
    expect(await client.getTask(started.task.taskId)).toMatchObject({ status: 'cancelled' })
    await expect(client.awaitTask(started.task.taskId)).rejects.toMatchObject({
      message: expect.stringContaining('cancelled'),
    })
  })

  test('runs a call as a task that asks, is listed, and ends with a result [C1] [S3-49] [F18]', async () => {
    const { client } = connection
    const { task, statuses, report } = everything()
    expect((await client.listTasks()).map(({ taskId }) => taskId)).toContain(task.taskId)
    expect(JSON.stringify((await report).content)).toContain('python (snake)')
    expect([...statuses]).toEqual(['working', 'input_required'])
    expect(await client.getTask(task.taskId)).toMatchObject({ status: 'completed', ttlMs: 300_000 })
  })

  function everything(): Everything {
    const found = opened.get(transport)
    if (found === undefined) throw new Error(`there is no connection over ${transport}`)
    return found
  }

  async function text(tool: string, args?: Readonly<Record<string, unknown>>): Promise<string> {
    const { content } = await connection.client.callTool(tool, args)
    return content.map((block) => (block.type === 'text' ? block.text : '')).join('\n')
  }
})

async function openEverything(config: McpHttpConfig | McpStdioConfig): Promise<Everything> {
  const heard = new Heard()
  const questions: ElicitRequest[] = []
  const roots: Root[] = [{ uri: 'file:///work', name: 'Work' }]
  const connection = await connectMcp(config, {
    onNotification: heard.take,
    onElicitation: async (request) => {
      questions.push(request)
      return { action: 'accept', content: { name: 'Ada', interpretation: 'snake' } }
    },
    onSampling: samplingHandler({
      model: 'parrot',
      complete: async ({ messages, maxTokens }) => ({
        content: `${maxTokens} of ${JSON.stringify(messages[0]?.content)}`,
        finishReason: 'stop',
      }),
    }),
    roots: () => roots,
  })
  return { connection, heard, questions, roots, ...(await startResearch(connection)) }
}

async function startResearch({
  client,
}: McpConnection): Promise<Pick<Everything, 'task' | 'statuses' | 'report'>> {
  const started = await client.callToolTask('simulate-research-query', { topic: 'python', ambiguous: true })
  if (started.kind !== 'task') throw new Error('the call did not become a task')
  const statuses = new Set<string>()
  const onTask = ({ status }: Task): void => void statuses.add(status)
  return { task: started.task, statuses, report: client.awaitTask(started.task.taskId, { onTask }) }
}
