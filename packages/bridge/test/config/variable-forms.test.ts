import { describe, expect, test } from 'vitest'
import {
  readVariables,
  type SyntaxName,
  variableSyntaxes,
  writeVariables,
} from '../../src/config/variables/variable-syntaxes.ts'
import { parseVariables, type Piece, printVariables } from '../../src/config/variables/variables.ts'

/** A short notation of pieces: `text`, `<env A>`, `<env A|default>`, `<unterminated>`. */
function shown(pieces: readonly Piece[]): string {
  return pieces
    .map((piece) => {
      if (piece.kind === 'text') return piece.text
      if (piece.kind === 'unterminated') return '<unterminated>'
      const fallback = 'fallback' in piece ? `|${piece.fallback}` : ''
      return `<${piece.kind} ${piece.name}${fallback}>`
    })
    .join('')
}

/** Texts of each syntax, and how they are read. */
const readings: Readonly<Record<SyntaxName, Readonly<Record<string, string>>>> = {
  none: { '${A} $A %A%': '${A} $A %A%' },
  braced: {
    'x${A}y${_b1}': 'x<env A>y<env _b1>',
    '${A:-d} ${1A} ${A-B} ${}': '${A:-d} ${1A} ${A-B} ${}',
    'x ${A': 'x <unterminated>',
    '${A ${B}': '${A <env B>',
  },
  bracedWithDefaults: {
    '${A} ${A:-} ${A:-b c}': '<env A> <env A|> <env A|b c>',
    '${A:-${B}} ${A:-${A}}': '<nested A> <cyclic A>',
    '${A:-x${B}y}z': '<nested A>z',
    '${A:b}': '${A:b}',
  },
  environment: { '${env:A} ${env:a-b} ${env:A:-b} ${A}': '<env A> ${env:a-b} ${env:A:-b} ${A}' },
  yaaf: {
    '${env:a-b} ${workspaceFolder}': '<env a-b> <predefined workspaceFolder>',
    '${input:x} ${input:}': '<unknown input:x> <unknown input:>',
    '${env:A:-b} ${userHome}': '${env:A:-b} ${userHome}',
  },
  cursor: {
    '${env:A}${userHome}': '<env A><predefined userHome>',
    '${/}${pathSeparator}': '<predefined pathSeparator><predefined pathSeparator>',
    '${workspaceFolder}': '<predefined workspaceFolder>',
    '${workspaceFolderBasename} ${input:x}': '<predefined workspaceFolderBasename> ${input:x}',
    '${env:${A}}': '<nested …>}',
  },
  vscode: {
    '${input:a b} ${env:A} ${other}': '<input a b> <env A> ${other}',
    '${command:x} ${config:y}': '<unknown command:x> <unknown config:y>',
    '${workspaceFolder:z} ${cwd}': '<unknown workspaceFolder:z> <unknown cwd>',
    '${file} ${fileDirname} ${execPath}': '<unknown file> <unknown fileDirname> <unknown execPath>',
  },
  windsurf: { '${env:A} ${file:/run/a b} ${input:x}': '<env A> <file /run/a b> ${input:x}' },
  shell: { '$A ${A} ${A:-b} $1 $': '<env A> <env A> <env A|b> $1 $', '${A': '${A' },
  gemini: {
    '${extensionPath} ${workspacePath}': '<predefined configFolder> <predefined workspaceFolder>',
    '${/} ${pathSeparator}': '<predefined pathSeparator> <predefined pathSeparator>',
    '${A} $A %A%': '<env A> <env A> %A%',
  },
  geminiOnWindows: { '%A% %% $A ${A:-b}': '<env A> %% <env A> <env A|b>' },
  qwen: {
    '${A} ${A:-b} ${a $B} $A': '<env A> ${A:-b} ${a $B} <env A>',
    '${workspacePath}': '<predefined workspaceFolder>',
  },
  crush: { '$(id -u) $() ${A:-b} $A': '<unknown id -u> <unknown > <env A|b> <env A>' },
  curly: { '{env: A } {file:~/x} {env:} ${env:A}': '<env A> <file ~/x> {env:} $<env A>' },
  continue: {
    '${{ secrets.A }} ${{inputs.b-c}}': '<secret A> <input b-c>',
    '${{ other.A }} ${{ secrets.A': '${{ other.A }} ${{ secrets.A',
  },
  mcporter: { '$env:A ${A:-b} ${env:A} $A': '<env A> <env A|b> <env A> $A' },
  contextual: {
    '${a.b} \\${KEY} ${a:b} ${a${b}}': '<context a.b> ${KEY} ${a:b} <nested …>}',
    'x ${a': 'x <unterminated>',
  },
  contextualThenEnvironment: { '${a.b} \\${KEY} \\${${A}}': '<context a.b> <env KEY> <nested …>}' },
}

describe.each(Object.entries(readings))('in the syntax %s', (name, texts) => {
  test.each(Object.entries(texts))('%s is read as %s', (text, expected) => {
    expect(shown(readVariables(text, variableSyntaxes[name as SyntaxName]))).toBe(expected)
  })
})

test.each<SyntaxName>([
  'environment',
  'yaaf',
  'cursor',
  'vscode',
  'windsurf',
  'mcporter',
  'contextualThenEnvironment',
  'bracedWithDefaults',
])('in the syntax %s an open brace is an error', (name) => {
  expect(readVariables('${', variableSyntaxes[name])).toEqual([{ kind: 'unterminated' }])
  expect(readVariables('a}${b', variableSyntaxes[name])).toEqual([
    { kind: 'text', text: 'a}' },
    { kind: 'unterminated' },
  ])
})

const env = { kind: 'env', name: 'A' } as const
const withDefault = { kind: 'env', name: 'A', fallback: 'b' } as const
const odd = { kind: 'env', name: 'a-b' } as const
const input = { kind: 'input', name: 'id' } as const
const file = { kind: 'file', name: '/run/x' } as const
const secret = { kind: 'secret', name: 'S' } as const
const context = { kind: 'context', name: 'a.b' } as const
const workspace = { kind: 'predefined', name: 'workspaceFolder' } as const
const config = { kind: 'predefined', name: 'configFolder' } as const
const home = { kind: 'predefined', name: 'userHome' } as const
const separator = { kind: 'predefined', name: 'pathSeparator' } as const
const all = { env, withDefault, odd, input, file, secret, context, workspace, config, home, separator }

test.each<[SyntaxName, Partial<Record<keyof typeof all, string>>]>([
  ['none', {}],
  ['braced', { env: '${A}' }],
  ['bracedWithDefaults', { env: '${A}', withDefault: '${A:-b}' }],
  ['environment', { env: '${env:A}' }],
  ['yaaf', { env: '${env:A}', odd: '${env:a-b}', workspace: '${workspaceFolder}' }],
  [
    'cursor',
    {
      env: '${env:A}',
      odd: '${env:a-b}',
      workspace: '${workspaceFolder}',
      home: '${userHome}',
      separator: '${pathSeparator}',
    },
  ],
  [
    'vscode',
    {
      env: '${env:A}',
      odd: '${env:a-b}',
      input: '${input:id}',
      workspace: '${workspaceFolder}',
      home: '${userHome}',
      separator: '${pathSeparator}',
    },
  ],
  ['windsurf', { env: '${env:A}', odd: '${env:a-b}', file: '${file:/run/x}' }],
  ['shell', { env: '${A}', withDefault: '${A:-b}' }],
  [
    'gemini',
    {
      env: '${A}',
      withDefault: '${A:-b}',
      workspace: '${workspacePath}',
      config: '${extensionPath}',
      separator: '${pathSeparator}',
    },
  ],
  [
    'qwen',
    {
      env: '${A}',
      workspace: '${workspacePath}',
      config: '${extensionPath}',
      separator: '${pathSeparator}',
    },
  ],
  ['crush', { env: '${A}', withDefault: '${A:-b}' }],
  ['curly', { env: '{env:A}', odd: '{env:a-b}', file: '{file:/run/x}' }],
  ['continue', { secret: '${{ secrets.S }}', input: '${{ inputs.id }}' }],
  ['mcporter', { env: '${A}', withDefault: '${A:-b}', odd: '${env:a-b}' }],
  ['contextual', { context: '${a.b}' }],
  ['contextualThenEnvironment', { env: '\\${A}', odd: '\\${a-b}', context: '${a.b}' }],
])('in the syntax %s exactly these variables can be written: %o', (name, expected) => {
  const written = Object.entries(all).flatMap(([key, piece]) => {
    const text = writeVariables([piece], variableSyntaxes[name])
    return typeof text === 'string' ? [[key, text]] : []
  })
  expect(Object.fromEntries(written)).toEqual(expected)
})

test('a text that the host would take for a variable is escaped or not written', () => {
  const unwritable = { unwritable: { kind: 'text', text: '' } }
  expect(writeVariables([{ kind: 'text', text: 'a ${A}' }], variableSyntaxes.braced)).toEqual(unwritable)
  expect(writeVariables([{ kind: 'text', text: 'a ${b}' }], variableSyntaxes.contextual)).toBe('a \\${b}')
  expect(writeVariables([{ kind: 'text', text: 'a $A' }, env], variableSyntaxes.braced)).toBe('a $A${A}')
  const withBrace = { kind: 'env', name: 'A', fallback: 'a}b' } as const
  expect(writeVariables([withBrace], variableSyntaxes.shell)).toEqual({ unwritable: withBrace })
  const brace = { kind: 'input', name: 'a}b' } as const
  expect(writeVariables([brace], variableSyntaxes.vscode)).toEqual({ unwritable: brace })
})

test.each<Piece>([
  { kind: 'unknown', name: 'x' },
  { kind: 'nested', name: 'x' },
  { kind: 'cyclic', name: 'x' },
  { kind: 'unterminated' },
])('a broken variable is never written: %j', (piece) => {
  for (const syntax of Object.values(variableSyntaxes))
    expect(writeVariables([piece], syntax)).toEqual({ unwritable: piece })
})

test.each([
  ['', ''],
  ['plain', 'plain'],
  ['a${env:A}b', 'a<env A>b'],
  ['${env:A:-}${env:A:-x y}', '<env A|><env A|x y>'],
  ['${env:A:-a\nb}', '<env A|a\nb>'],
  ['${input:a b}${secret:S}${file:/a}${context:a.b}', '<input a b><secret S><file /a><context a.b>'],
  ['${file:a\nb}', '<file a\nb>'],
  [
    '${workspaceFolder}${workspaceFolderBasename}${configFolder}${userHome}${pathSeparator}',
    '<predefined workspaceFolder><predefined workspaceFolderBasename><predefined configFolder><predefined userHome><predefined pathSeparator>',
  ],
  ['$${env:A}', '${env:A}'],
  ['${$}${env:A}', '$<env A>'],
  ['a$${b}$${c}', 'a${b}${c}'],
  ['$ $$ $a', '$ $$ $a'],
  ['a${', 'a<unterminated>'],
  ['${env:A', '<unterminated>'],
  ['${A}', '<unknown A>'],
  ['${env:}', '<unknown env:>'],
  ['${input:}', '<unknown input:>'],
  ['${env:A:b}', '<unknown env:A:b>'],
  ['${xinput:a}', '<unknown xinput:a>'],
  ['${input:${env:A}', '<unknown input:${env:A>'],
  ['${env:${A}', '<nested …>'],
  ['${env:A:-${env:A}', '<cyclic A>'],
  ['${env:A:-${A}', '<cyclic A>'],
  ['${env:A:-${env:B}', '<nested A>'],
  ['${env:A:-${env:AB}', '<nested A>'],
])('the canonical text %j is read as %j', (text, expected) => {
  expect(shown(parseVariables(text))).toBe(expected)
})

test('every variable has one canonical text', () => {
  expect(printVariables(Object.values(all))).toBe(
    '${env:A}${env:A:-b}${env:a-b}${input:id}${file:/run/x}${secret:S}${context:a.b}${workspaceFolder}${configFolder}${userHome}${pathSeparator}',
  )
  const text = (value: string) => ({ kind: 'text', text: value }) as const
  expect(printVariables([text('a${b}$'), env, text('$')])).toBe('a$${b}${$}${env:A}$')
  expect(printVariables([text('$$'), env])).toBe('${$}${$}${env:A}')
  expect(printVariables([text('$')])).toBe('$')
})
