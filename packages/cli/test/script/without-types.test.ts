import { expect, test } from 'vitest'
import { withoutTypes } from '../../src/script/without-types.ts'

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
  const lines = withoutTypes(code.join('\n'), 'program.ts').split('\n')
  expect(lines).toHaveLength(code.length)
  expect(lines[1]).toMatch(/^import \{\s*c\s*\} from '\.\/c\.js'$/)
  expect(lines[6]?.replaceAll(/\s/g, '')).toBe('exportdefault(async({h})=>c(h,F.G))')
  expect(lines[7]).toBe(`throw new Error('line 8')`)
})

test('a syntax error begins with its file and line', () => {
  expect(() => withoutTypes('const a = 1\nconst b: = 2\n', '/a/program.ts')).toThrow(
    expect.objectContaining({ name: 'SyntaxError', message: expect.stringMatching(/^\/a\/program\.ts:2: /) }),
  )
})
