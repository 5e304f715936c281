import type { GetPromptRequest, ReadResourceRequest } from '@toolbridge/api'
import { expect, test } from 'vitest'
import { openConsole } from './open-console.ts'
import { toolSummary } from './samples.ts'

const note = { server: 'library', uri: 'file:///notes/today.md', name: 'today', mimeType: 'text/markdown' }
const template = { server: 'library', uriTemplate: 'file:///notes/{day}.md{?lang}', name: 'notes' }

test('a resource is read, followed while it changes, and one of a template is found with suggestions', async () => {
  const reads: ReadResourceRequest[] = []
  let text = '# Buy milk\u202e'
  await using console = await openConsole({
    at: '/resources',
    prepare: ({ library }) => {
      library.read = (request) => {
        reads.push(request)
        return { contents: [{ uri: request.uri, mimeType: 'text/markdown', text }] }
      }
      library.complete = ({ ref, argument: { name, value } }) =>
        ref.type === 'ref/resource' && name === 'day' && value === 'm' ? ['monday'] : []
    },
  })
  const { page, gateway } = console
  await page.getByText('No resources').first().waitFor()
  gateway.library.resources = { resources: [note], templates: [template] }
  gateway.tell({ type: 'servers' })
  await page.getByText('1 resource, 1 template').waitFor()
  await page.getByRole('link', { name: /today/ }).click()
  const contents = page.getByRole('region', { name: 'Contents' })
  await contents.getByText('Buy milk⟨U+202E⟩').waitFor()
  expect(await contents.getByRole('link', { name: 'Download' }).getAttribute('download')).toBe('today.md')
  const saved = await contents.getByRole('link', { name: 'Download' }).getAttribute('href')
  expect(Buffer.from(saved?.split(',')[1] ?? '', 'base64').toString()).toBe(text)

  await page.getByRole('button', { name: 'Follow changes' }).click()
  await page.getByText('Following', { exact: true }).waitFor()
  expect([...gateway.library.followed]).toEqual([note.uri])
  text = 'Buy bread'
  gateway.tell({ type: 'resource', server: 'library', uri: note.uri, change: 'updated' })
  await contents.getByText('Buy bread').waitFor()
  await page.getByText('Following, 1 change').waitFor()
  gateway.tell({ type: 'resource', server: 'library', uri: 'file:///other', change: 'updated' })
  // As a gateway that was restarted, which has forgotten the subscription.
  gateway.library.followed.clear()
  gateway.hangUp()
  await page.getByText('Following, 2 changes').waitFor()
  expect([...gateway.library.followed]).toEqual([note.uri])
  await page.getByRole('link', { name: /notes \(template\)/ }).click()
  await expect.poll(() => [...gateway.library.followed]).toEqual([])

  const day = page.getByRole('combobox', { name: 'day' })
  await day.fill('m')
  await expect.poll(() => page.locator('datalist option').first().getAttribute('value')).toBe('monday')
  await day.fill('monday')
  await page.getByRole('combobox', { name: 'lang' }).fill('en')
  await page.getByText('file:///notes/monday.md?lang=en').waitFor()
  const before = reads.length
  await page.getByRole('button', { name: 'Open' }).click()
  await page.getByText('The server does not list this resource').waitFor()
  expect(reads).toHaveLength(before)
  await page.getByRole('button', { name: 'Read' }).click()
  await contents.getByText('Buy bread').waitFor()
  expect(reads.at(-1)).toEqual({ server: 'library', uri: 'file:///notes/monday.md?lang=en' })
  await page.goBack()
  expect(await day.inputValue()).toBe('monday')

  await page.keyboard.press('Control+k')
  await page.keyboard.type('today')
  await page.getByRole('option', { name: 'today (library) Resource', selected: true }).waitFor()
  await page.keyboard.press('Enter')
  await contents.getByText('Buy bread').waitFor()
})

test('a prompt is filled in with suggestions and previewed, and a link in a result opens its resource', async () => {
  const asked: GetPromptRequest[] = []
  await using console = await openConsole({
    at: '/prompts',
    prepare: (gateway) => {
      const { library } = gateway
      gateway.tools = [toolSummary('library', 'find')]
      gateway.callTool = async () => ({
        content: [{ type: 'resource_link', uri: note.uri, name: 'Today <b>' }],
      })
      library.resources = { resources: [note], templates: [] }
      library.read = ({ uri }) => ({ contents: [{ uri, text: 'Buy milk' }] })
      library.prompts = [
        {
          server: 'library',
          name: 'greet',
          description: 'Greets **somebody**',
          arguments: [{ name: 'who', required: true }, { name: 'tone' }],
        },
      ]
      library.get = (request) => {
        asked.push(request)
        return {
          messages: [
            { role: 'user', content: { type: 'text', text: 'Hello <b>Ada</b>' } },
            { role: 'assistant', content: { type: 'resource_link', uri: note.uri, name: 'today' } },
          ],
        }
      }
      library.complete = ({ ref }) => (ref.type === 'ref/prompt' ? ['ada', 'alan'] : [])
    },
  })
  const { page } = console
  await page.getByText('1 prompt', { exact: true }).waitFor()
  await page.keyboard.press('Control+k')
  await page.keyboard.type('greet')
  await page.getByRole('option', { name: 'greet (library) Prompt', selected: true }).waitFor()
  await page.keyboard.press('Enter')
  await page.getByRole('button', { name: 'Preview' }).click()
  await page.getByText('This is required.').waitFor()
  const who = page.getByRole('combobox', { name: 'who' })
  expect(await who.evaluate((control) => control === document.activeElement)).toBe(true)
  expect(asked).toEqual([])
  await expect.poll(() => page.locator('datalist option').count()).toBe(2)
  await page.keyboard.type('ada')
  await page.keyboard.press('Enter')
  const messages = page.getByRole('region', { name: 'Messages' })
  await messages.getByText('Hello <b>Ada</b>').waitFor()
  expect(await messages.getByRole('heading').allTextContents()).toEqual(['User', 'Assistant'])
  expect(asked).toEqual([{ server: 'library', name: 'greet', arguments: { who: 'ada' } }])

  await page.goto(`${console.gateway.url}/#/tools/library__find`)
  await page.getByRole('button', { name: 'Run' }).click()
  const outcome = page.getByRole('region', { name: 'Outcome' })
  await outcome.getByText('Today <b>').waitFor()
  await outcome.getByRole('link', { name: 'Open' }).click()
  await page.getByRole('region', { name: 'Contents' }).getByText('Buy milk').waitFor()
})
