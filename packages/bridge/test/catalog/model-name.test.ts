import fc from 'fast-check'
import { expect, test } from 'vitest'
import type { BridgeTool } from '../../src/catalog/bridge-tool.ts'
import { modelName } from '../../src/catalog/model-name.ts'
import { profiles } from '../../src/catalog/profiles/profiles.ts'
import { plainName } from '@toolbridge/client/internal'
import { anyCharacter } from '../../../client/test/support/any-character.ts'

function tool(server: string, rawName: string): BridgeTool {
  const uri = `mcp://${server}/${rawName}`
  const plain = plainName({ server, tool: rawName })
  return {
    name: uri,
    server,
    rawName,
    uri,
    plainNames: [plain],
    definition: { name: rawName, inputSchema: {} },
  }
}

const short = { toolName: /^[A-Za-z0-9_-]+$/, maxToolNameLength: 40 }

test.each([...Object.entries(profiles), ['a provider with at most 40 characters', short] as const])(
  'every tool gets a name that fits: %s',
  (_name, rules) => {
    const long = fc.string({ unit: fc.constantFrom('a', '9', '_', '読'), minLength: 30, maxLength: 80 })
    const text = fc.oneof(fc.string({ unit: anyCharacter }), long)
    fc.assert(
      fc.property(text, text, (server, rawName) => {
        const name = modelName(tool(server, rawName), rules)
        expect(name.length).toBeLessThanOrEqual(rules.maxToolNameLength)
        expect(name).toMatch(rules.toolName)
      }),
    )
  },
)

test('aliases that are cut at the same character stay different', () => {
  const [one, other] = ['a', 'b'].map((end) => modelName(tool('files', 'x'.repeat(60) + end), short))
  expect(one).toMatch(/^files__x{24}_[0-9a-f]{8}$/)
  expect(other).not.toBe(one)
})
