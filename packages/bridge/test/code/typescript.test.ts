import { withoutTypes } from '@toolbridge/bridge/typescript'
import { expect, test } from 'vitest'

test('types are removed, and every line stays where it is', () => {
  const code = [
    `import type { A } from 'a'`,
    `import { type B, c } from './c.js'`,
    'interface D {',
    '  e: string',
    '}',
    'enum F { G = 1 }',
    'export default (async ({ h }: A): Promise<B> => c<D>(h as never, F.G)!) satisfies unknown',
    `throw new Error('line 8')`,
  ]
  const lines = withoutTypes(code.join('\n')).split('\n')
  expect(lines).toHaveLength(code.length)
  expect(lines[1]).toMatch(/^import \{\s*c\s*\} from '\.\/c\.js'$/)
  expect(lines[6]?.replaceAll(/\s/g, '')).toBe('exportdefault(async({h})=>c(h,F.G))')
  expect(lines[7]).toBe(`throw new Error('line 8')`)
})

test('a syntax error has its line', () => {
  expect(() => withoutTypes('const a = 1\nconst b: = 2\n')).toThrow(
    expect.objectContaining({ name: 'TypeScriptError', line: 2, message: expect.not.stringContaining('2:') }),
  )
})
