import { promptMessages, resourceMessages } from '@toolbridge/agent'
import { expect, test } from 'vitest'
import { address, pixel } from './library-server.ts'
import { said, world } from './world.ts'

test('a prompt of a server begins the conversation [S4-92]', async () => {
  await using w = await world([{ text: 'Done.' }])
  const prompt = await promptMessages(w.bridge, 'library', 'brief')
  await w.run({ messages: [...prompt, said('Go on.')] })
  expect(prompt.map(({ role }) => role)).toEqual(['user', 'assistant', 'user'])
  const body = JSON.stringify(w.scripted.requests[0]?.body)
  for (const text of ['Be brief.', 'Yes.', 'Go on.', pixel]) expect(body).toContain(text)
})

test('a resource of a server is part of the conversation', async () => {
  await using w = await world([{ text: 'Done.' }])
  const emma = await resourceMessages(w.bridge, 'library', 'book://emma')
  const cover = await resourceMessages(w.bridge, 'library', 'book://cover')
  await w.run({ messages: [...emma, ...cover, said('What is it about?')] })
  const body = JSON.stringify(w.scripted.requests[0]?.body)
  for (const text of ['This is Emma.', pixel, 'What is it about?']) expect(body).toContain(text)
})

test('an address in place of a picture is never opened', async () => {
  await using w = await world([{ text: 'Done.' }])
  await w.run({ messages: [...(await promptMessages(w.bridge, 'library', 'lure')), said('Go on.')] })
  expect(JSON.stringify(w.scripted.requests[0]?.body)).not.toContain(address)
})

test('an unknown prompt or resource rejects', async () => {
  await using w = await world([])
  await expect(promptMessages(w.bridge, 'library', 'gone')).rejects.toThrow()
  await expect(resourceMessages(w.bridge, 'library', 'book://gone')).rejects.toThrow()
})
