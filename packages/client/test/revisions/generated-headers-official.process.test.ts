import { startHttpFixture } from '@toolbridge/testkit/servers'
import fc from 'fast-check'
import { expect, test } from 'vitest'
import { HttpTransport, McpClient } from '../../src/index.ts'
import { GENERATED_TIMEOUT_MS, inputs } from '../support/generated.ts'
import { anyCharacter } from '../support/any-character.ts'

const text = fc.oneof(
  fc.string({ unit: anyCharacter }),
  fc.string({ unit: 'grapheme' }),
  fc.string().map((inner) => `=?base64?${inner}?=`),
  fc.constantFrom('', ' ', ' a', 'a ', '\t', 'a\tb', 'a\r\nx: y', '=?base64?', '?='),
)

test(
  'the official server finds in the headers of a call what is in its arguments, whatever that is [H8 H9]',
  async () => {
    const fixture = await startHttpFixture('modern', { era: 'modern' })
    const client = new McpClient(new HttpTransport({ url: fixture.url }), { era: '2026-07-28' })
    try {
      await client.connect()
      await client.listTools()
      const days = fc.option(fc.maxSafeInteger(), { nil: undefined })
      const property = fc.asyncProperty(text, days, async (region, count) => {
        const args = count === undefined ? { region } : { region, days: count }
        expect(await client.callTool('weather', args)).toMatchObject({
          content: [{ text: `Rain in ${region}` }],
        })
      })
      await fc.assert(property, inputs(50, 5_000))
    } finally {
      await client.close()
      await fixture.close()
    }
  },
  GENERATED_TIMEOUT_MS,
)
