import fc from 'fast-check'
import { describe, expect, test } from 'vitest'
import { dialects } from '../../src/config/dialects/all.ts'
import type { Machine } from '../../src/permission/control-files/control-files.ts'
import { hasFoldedCharacters } from '../../src/permission/control-files/path-like.ts'
import { folded } from '../../src/permission/readings/folding.ts'
import { controlFiles, namedBy } from './named-control-file.ts'

/** Arguments with a text so many levels down. */
function nested(levels: number, text: string): unknown {
  return levels === 0 ? text : { inner: nested(levels - 1, text) }
}

/** Spellings of a name that a server or a file system may not distinguish. */
const spellings: readonly ((name: string) => string)[] = [
  (name) => name,
  (name) => name.toUpperCase(),
  (name) => name.replaceAll('.', '%2e'),
  (name) => name.replaceAll('s', '\u017F'),
  (name) => name.replaceAll('m', '\uFF4D'),
  (name) => name.split('').join('\u200B'),
  (name) => name.split('').join('\0'),
  (name) => `${name}. `,
]

/** Texts in which a server may find a path. */
const wrappings: readonly ((path: string) => string)[] = [
  (path) => path,
  (path) => `file:///${path}`,
  (path) => `file:///${path.split('').join('\n')}`,
  (path) => JSON.stringify([path]),
  (path) => ` [${JSON.stringify(path).replaceAll('o', String.raw`\u006f`)}]`,
]

describe('a text names a control file', () => {
  test.each([
    '/home/me/.cursor/mcp.json',
    '~/.cursor/mcp.json',
    '.cursor/mcp.json',
    './.cursor/../.cursor/mcp.json',
    '/anywhere/project/.mcp.json',
    '.mcp.json',
    '.vscode/mcp.json',
    '.vscode/settings.json',
    '.agents/mcp.json',
    '.agents/config.json',
    '.toolbridge/mcp.json',
    '/home/me/.toolbridge/grants/0a.json',
    '/home/me/.toolbridge',
    '/home/me/.claude.json',
    '/p/.claude/settings.local.json',
    '/home/me/.codex/config.toml',
    '/p/.gemini/settings.json',
    '/p/opencode.json',
    '/p/.continue/mcpServers/new.yaml',
    '/p/evil.skill.md',
    '/home/me/Library/Application Support/Claude/claude_desktop_config.json',
    'C:\\Users\\me\\AppData\\Roaming\\Claude\\claude_desktop_config.json',
    '%APPDATA%\\Claude\\claude_desktop_config.json',
    '$HOME/.cursor/mcp.json',
    'file:///home/me/.cursor/mcp.json',
    'file://localhost/home/me/.cursor/mcp.json',
    'file:///home/me/%2Ecursor/mcp%2Ejson',
    'file:///home/me/.cursor/mcp.json?x=1#y',
    'FILE:///home/me/.cursor/mcp.json',
    'file:///home/me/.cursor//%2E%2E/mcp.json',
    '/home/me/%2Ecursor/mcp.json',
    '/home/me/.Cursor/MCP.JSON',
    '/home/me/.cursor//./mcp.json/',
    '/home/me/.cursor/x/../mcp.json',
    '/home/me/.cursor/mcp.json.',
    '/home/me/.cursor/mcp.json::$DATA',
    '/home/me/.cursor./mcp.json ',
    '/home/me/.cur\u200Csor/mcp.json',
    '/home/me/.cursor/mcp.j\u017Fon',
    '\\\\?\\C:\\Users\\me\\.cursor\\mcp.json',
    `/home/me/${'./'.repeat(10_000)}.cursor/mcp.json`,
    `${'x\n'.repeat(10)}/../../.cursor/mcp.json`,
    '/srv/policy/main.rego',
    '/srv/data/trust/x',
    '/srv/./data/x',
    '/srv/policy/../data/x',
    '\\srv\\data\\x',
    '/srv/data/\uFB01le',
    '/home/me/.codex/con\uFB01g.toml',
    '\uFF0Emcp\uFF0Ejson',
    '%2Emcp%2Ejson',
    'opencode.\0json',
    '/home/me/.cursor/mcp.js\0on',
    'file:///home/me/.cursor/mcp.js\non',
    '/home/me/.toolbridge/two\nlines',
    '/mnt/disk/etc/claude-code/managed-mcp.json',
    '/home/other/.gemini/extensions/any/gemini-extension.json',
  ])('%j', async (text) => {
    for (const args of [{ path: text }, { a: [{ deep: { list: [text] } }] }])
      expect(await namedBy(args)).toBe(text)
  })

  test.each([
    'mcp.json',
    '/home/me/.cursor/mcp.json.bak',
    '/home/me/.cursor/rules/x.md',
    '/home/me/.cursor/mcp-servers.json',
    '/home/me/cursor/mcp.json',
    '/home/me/.toolbridge2/x',
    '/home/me/.gemini/extensions/gemini-extension.json',
    '/home/me/.gemini/extensions/a/b/gemini-extension.json',
    '/p/settings.json',
    '/p/package.json',
    '/p/config.toml',
    '/srv/policy/main.txt',
    'just a text, 100 % harmless',
    '',
  ])('but not %j', async (text) => {
    expect(await namedBy({ path: text })).toBeUndefined()
  })

  test('in a line for a shell, as far as it can be read', async () => {
    const command = 'echo "{}" > ~/.cursor/mcp.json && ls'
    expect(await namedBy({ command })).toBe('~/.cursor/mcp.json')
    expect(await namedBy({ args: ['-c', command] })).toBe('~/.cursor/mcp.json')
    for (const key of ['cmd', 'Script', 'code', 'shell', 'argv', 'input', 'expression'])
      expect(await namedBy({ [key]: command })).toBe('~/.cursor/mcp.json')
    for (const key of ['text', 'inputText', 'postcode'])
      expect(await namedBy({ [key]: command })).toBeUndefined()
  })

  test.each([
    'tee .mcp.json',
    'tee ".mcp.json"',
    "tee '.mcp.json'",
    'echo {}>.mcp.json',
    'cp `echo x` .mcp.json;ls',
    'true&&rm .mcp.json|cat',
    'of=.mcp.json',
    'open(.mcp.json)',
    'a,.mcp.json,b',
    'x\n.mcp.json\ny',
  ])('in the command %j', async (command) => {
    expect(await namedBy({ command })).toBe('.mcp.json')
  })

  test('in every place where a dialect keeps its file', async () => {
    const paths = dialects.flatMap(({ locations }) =>
      locations.map(({ path }) => path.replaceAll('*', 'any')),
    )
    const files = controlFiles()
    for (const path of paths) expect(await namedBy({ path }, { files })).toBe(path)
  })

  test('and none is missed by the quick test, however it is spelled', async () => {
    const files = controlFiles()
    const name = fc.constantFrom('.cursor', 'mcp.json', '..', '.', 'x', '.toolbridge', '.mcp.json', 'a b', '')
    const spelled = fc.tuple(name, fc.constantFrom(...spellings)).map(([each, spelling]) => spelling(each))
    const text = fc
      .tuple(fc.array(spelled, { minLength: 1, maxLength: 5 }), fc.constantFrom('/', '\\'))
      .map(([names, separator]) => names.join(separator))
    await fc.assert(
      fc.asyncProperty(text, fc.constantFrom(...wrappings), async (path, wrap) => {
        await namedBy({ path: wrap(path) }, { files })
      }),
    )
  })

  test.each<[string, unknown]>([
    ['as a name', { files: { '/p/.mcp.json': '{}' } }],
    ['in a list that is a text', { paths: '["a", "/p/.mcp.json"]' }],
    ['in a list of objects that is a text', { edits: '[{"path": "/p/.mcp.json"}]' }],
    ['in a list that is a text with escapes', { paths: String.raw`["/p/.\u006dcp.\u006ason"]` }],
    ['after values of other types', { path: '/p/.mcp.json', command: 5, args: [null, true], size: 1.5 }],
    ['in arguments that are a list', ['/p/.mcp.json']],
    ['in the arguments of a deep call', nested(100, '/p/.mcp.json')],
    ['in what becomes a text', { path: { toJSON: () => '/p/.mcp.json' } }],
  ])('%s', async (_title, args) => {
    expect(await namedBy(args)).toBe('/p/.mcp.json')
  })

  test('but not in a text that only mentions one', async () => {
    const content = JSON.stringify({ files: ['.mcp.json', '.vscode/settings.json'] })
    expect(await namedBy({ path: '/p/package.json', content })).toBeUndefined()
  })

  test('also in arguments that contain themselves', async () => {
    const circle: Record<string, unknown> = { path: '/p/.mcp.json' }
    circle['self'] = circle
    expect(await namedBy({ circle })).toBe('/p/.mcp.json')
    delete circle['path']
    expect(controlFiles().mayBeNamed(circle, undefined)).toBe(true)
    expect(await namedBy(circle)).toBeUndefined()
  })
})

describe('a file that a rule adds', () => {
  test.each([
    [['Makefile'], 'Makefile'],
    [['/srv/policy/*', 'Makefile'], 'Makefile'],
    [['Makefile', '/srv/policy/*'], '/srv/policy/a'],
    [['*.pem'], 'key.pem'],
    [['policy*'], 'policy-1'],
    [['*'], 'anything'],
    [['/srv/**'], '/srv/a/b'],
    [['/srv/*/policy'], '/srv/a/b/policy'],
    [['/SRV/Policy/*'], '/srv/policy/a'],
    [['/srv/\uFB01les/*'], '/srv/files/a'],
    [['/srv/a+b (1)/*'], '/srv/a+b (1)/x'],
    [['C:\\policy\\*'], 'C:/policy/a'],
    [['C:\\policy/*'], 'c:\\x\\..\\policy\\a'],
  ])('as %j is %j', async (more, path) => {
    expect(await namedBy([path], { files: controlFiles(more) })).toBe(path)
  })

  test.each([
    [['Makefile'], 'Makefile.am'],
    [['*.pem'], 'key.pem.txt'],
    [['/srv/policy/*.rego'], '/srv/policy/readme.md'],
    [['/srv/policy/*'], '/srv/policy2/a'],
    [['/srv/a+b/*'], '/srv/aab/x'],
  ])('as %j is not %j', async (more, path) => {
    expect(await namedBy({ path }, { files: controlFiles(more) })).toBeUndefined()
  })
})

describe('the quick test settles', () => {
  const machine: Machine = { home: '/home/me', folders: ['/p'] }

  test.each<[string, unknown]>([
    ['no arguments', {}],
    ['missing arguments', undefined],
    ['values that are not texts', { count: 3, ratio: 1.5, on: true, nothing: null, missing: undefined }],
    ['sentences', { text: 'It costs 3.50. Or more... ~ 4.@ 5.{x} [y] (z).' }],
    ['a sentence in another alphabet', { text: 'Größe: 5.Ünï' }],
    ['a long text', { text: 'lorem ipsum '.repeat(1_000) }],
    ['texts in lists and objects', { list: ['a', { deep: ['b', { deeper: 'c' }] }] }],
  ])('%s', (_title, args) => {
    for (const files of [controlFiles(), controlFiles([]), controlFiles(['*.pem'])]) {
      for (const where of [undefined, machine]) {
        // Names that were seen before take another way.
        expect(files.mayBeNamed(args, where)).toBe(false)
        expect(files.mayBeNamed(args, where)).toBe(false)
      }
    }
  })

  test.each<[string, unknown]>([
    ['a path', { path: '/p/notes.txt' }],
    ['a path as a name', { files: { '/p/notes.txt': 'x' } }],
    ['a URL', { url: 'https://example.com/a.html?b=c#d' }],
    ['a Windows path', { path: 'C:\\Users\\me\\notes.txt' }],
    ['a long text with paths', { content: 'import x from "./x.ts"\n'.repeat(1_000) }],
  ])('%s for a server that runs elsewhere', (_title, args) => {
    expect(controlFiles().mayBeNamed(args, undefined)).toBe(false)
  })

  test('letters without folding only if folding keeps them', () => {
    const units = Array.from({ length: 0x10000 }, (_, code) => String.fromCharCode(code))
    const kept = units.filter((unit) => unit > '\x7f' && !hasFoldedCharacters(unit))
    // All at once, because each call costs a microsecond. The letters between them would join with combining characters.
    expect(folded(kept.join('a'))).toBe(kept.join('a').toLowerCase())
    expect(kept.join('').toLowerCase()).not.toMatch(/[\0-\x7f]/)
    expect(kept).toEqual(expect.arrayContaining(['é', 'Ж', 'の', 'カ', '漢', '한']))
  })

  test('nothing that a name in a later call denotes', () => {
    const files = controlFiles()
    for (const name of ['a', 'b', 'a', '/p/.mcp.json', 'a', '/p/.mcp.json', '/p/.mcp.json', 'b', 'b'])
      expect(files.mayBeNamed({ [name]: 1 }, undefined)).toBe(name.includes('mcp'))
  })
})
