import { environmentVariable, type Piece, type PredefinedVariable, type Variable } from './variables.ts'

/** One notation of a variable. */
export interface VariableForm {
  /** Has the flag `y`: it is matched at one position. Its last repetition stops where `end` has to be. */
  readonly pattern: RegExp
  /** What follows the pattern. Not part of it, so that a text without an end is not searched at each beginning. */
  readonly end?: string
  /** The part before the end that the pattern does not describe, or undefined if the text has no end. Default: none. */
  untilEnd?(match: RegExpExecArray, text: string, from: number): string | undefined
  read(match: RegExpExecArray, rest: string): Piece
  /** Prints a variable, or returns undefined if this notation cannot express it. */
  print(variable: Variable): string | undefined
}

/** `${NAME}`, optionally with `${NAME:-default}`. */
export function braced(hasDefaults: boolean): VariableForm {
  return {
    pattern: hasDefaults ? /\$\{([A-Za-z_]\w*)(:-)?/y : /\$\{([A-Za-z_]\w*)/y,
    end: '}',
    untilEnd: ([, , colon], text, from) => (colon === undefined ? '' : defaultAt(text, from)),
    read: ([, name = '', colon], fallback) =>
      environmentVariable(name, colon === undefined ? undefined : fallback),
    print: (variable) => {
      if (variable.kind !== 'env' || !isIdentifier(variable.name)) return undefined
      if (variable.fallback === undefined) return `\${${variable.name}}`
      return hasDefaults && !variable.fallback.includes('}')
        ? `\${${variable.name}:-${variable.fallback}}`
        : undefined
    },
  }
}

/** A default up to its closing brace; those of variables in it do not count, unless no other follows. */
function defaultAt(text: string, from: number): string | undefined {
  let end = text.indexOf('}', from)
  if (end === -1) return undefined
  for (let at = from; text.slice(at, end).includes('${'); ) {
    at = end + 1
    const next = text.indexOf('}', at)
    if (next === -1) break
    end = next
  }
  return text.slice(from, end)
}

/** `${kind:name}`, without defaults. */
export function prefixed(kind: 'env' | 'input' | 'file', name: RegExp = names[kind]): VariableForm {
  return {
    pattern: new RegExp(String.raw`\$\{${kind}:(${name.source})`, 'y'),
    end: '}',
    read: ([, name = '']) => (name.includes('${') ? { kind: 'nested', name: '…' } : { kind, name }),
    print: (variable) => {
      const isPlain = variable.kind === kind && !('fallback' in variable) && !variable.name.includes('}')
      return isPlain ? `\${${kind}:${variable.name}}` : undefined
    },
  }
}

const names = { env: /[^}:]+/, input: /[^}]+/, file: /[^}]+/ } as const

/** Name of a shell variable. */
export const identifier: RegExp = /[A-Za-z_]\w*/

/** Predefined variables of editors. */
export const editorVariables: VariableForm = {
  pattern: /\$\{(workspaceFolder|workspaceFolderBasename|userHome|pathSeparator|\/)\}/y,
  read: ([, name]) => ({
    kind: 'predefined',
    name: name === '/' ? 'pathSeparator' : (name as 'workspaceFolder' | 'userHome'),
  }),
  print: (variable) => (variable.kind === 'predefined' ? `\${${variable.name}}` : undefined),
}

/** Predefined variables of Gemini CLI extensions. */
export const extensionVariables: VariableForm = {
  pattern: /\$\{(extensionPath|workspacePath|pathSeparator|\/)\}/y,
  read: ([, name = '']) => ({ kind: 'predefined', name: extensionNames.get(name) ?? 'pathSeparator' }),
  print: (variable) => {
    const found = [...extensionNames].find(
      ([, location]) => variable.kind === 'predefined' && location === variable.name,
    )
    return found === undefined ? undefined : `\${${found[0]}}`
  },
}

const extensionNames: ReadonlyMap<string, PredefinedVariable> = new Map([
  ['extensionPath', 'configFolder'],
  ['workspacePath', 'workspaceFolder'],
  ['pathSeparator', 'pathSeparator'],
])

/** `${workspaceFolder}`, for hosts that support no other predefined variable. */
export const workspaceFolderOnly: VariableForm = {
  pattern: /\$\{(workspaceFolder)\}/y,
  read: () => ({ kind: 'predefined', name: 'workspaceFolder' }),
  print: (variable) =>
    variable.kind === 'predefined' && variable.name === 'workspaceFolder' ? '${workspaceFolder}' : undefined,
}

/** A variable that the host replaces and Toolbridge cannot. */
export function unsupported(pattern: RegExp, end: string): VariableForm {
  return { pattern, end, read: ([, name = '']) => ({ kind: 'unknown', name }), print: () => undefined }
}

/** `$NAME`, as in a shell. */
export const bare: VariableForm = {
  pattern: /\$([A-Za-z_]\w*)/y,
  read: ([, name = '']) => ({ kind: 'env', name }),
  print: () => undefined,
}

/** Any other text in braces up to the first closing one, in which nothing is replaced. */
export const literalBraces: VariableForm = {
  pattern: /\$\{[^}]*/y,
  end: '}',
  read: ([text]) => ({ kind: 'text', text: `${text}}` }),
  print: () => undefined,
}

/** `%NAME%`, as in Windows. */
export const percent: VariableForm = { ...bare, pattern: /%(\w+)%/y }

/** `$env:NAME`, as in PowerShell. */
export const dollarEnv: VariableForm = {
  pattern: /\$env:([A-Za-z_]\w*)/y,
  read: ([, name = '']) => ({ kind: 'env', name }),
  print: () => undefined,
}

/** `{env:NAME}` and `{file:path}`. */
export function curly(kind: 'env' | 'file'): VariableForm {
  return {
    pattern: new RegExp(String.raw`\{${kind}:([^}]+)`, 'y'),
    end: '}',
    read: ([, name = '']) => ({ kind, name: name.trim() }),
    print: (variable) =>
      variable.kind === kind && !('fallback' in variable) ? `{${kind}:${variable.name}}` : undefined,
  }
}

/** `${{ secrets.NAME }}` and `${{ inputs.NAME }}`. */
export function doubleCurly(kind: 'secret' | 'input', word: string): VariableForm {
  return {
    pattern: new RegExp(String.raw`\$\{\{\s*${word}\.([^\s}]+)\s*`, 'y'),
    end: '}}',
    read: ([, name = '']) => ({ kind, name }),
    print: (variable) => (variable.kind === kind ? `\${{ ${word}.${variable.name} }}` : undefined),
  }
}

/** `\${`: the reference is replaced in the second of two phases. */
export function escaped(read: (inside: string) => Piece, print: VariableForm['print']): VariableForm {
  return { pattern: /\\\$\{([^}]*)/y, end: '}', read: ([, inside = '']) => read(inside), print }
}

/** `${path}`: a path into the calling context. */
export const contextPath: VariableForm = {
  pattern: /\$\{([^}:]+)/y,
  end: '}',
  read: ([, name = '']) => (name.includes('${') ? { kind: 'nested', name: '…' } : { kind: 'context', name }),
  print: (variable) => (variable.kind === 'context' ? `\${${variable.name}}` : undefined),
}

function isIdentifier(name: string): boolean {
  return /^[A-Za-z_]\w*$/.test(name)
}
