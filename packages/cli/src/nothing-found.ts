import { dirname } from 'node:path'
import {
  discoverConfigs,
  findConfigs,
  homeOf,
  type SearchedLocation,
  type SearchOptions,
} from '@toolbridge/bridge/config'
import { printable } from '@toolbridge/client/internal'
import type { Options } from './command.ts'
import { searchOptions } from './configuration.ts'
import { wrap } from './display/wrap.ts'
import type { FruitlessSearch } from './no-configuration-error.ts'
import type { Terminal } from './terminal.ts'

/** Where a configuration was looked for, and which files of other hosts there are. */
export async function whereLooked(terminal: Terminal, options: Options): Promise<FruitlessSearch> {
  const { dialect: _dialect, ...search } = searchOptions(terminal, options)
  const { searched } = await findConfigs(search)
  const found = await discoverConfigs(search)
  const otherFiles = found.filter(({ reading }) => reading.servers.length > 0).map(({ file }) => file)
  const parentFiles = await filesAbove(search)
  return { variables: ['TOOLBRIDGE_MCP_FILE'], searched, otherFiles, parentFiles }
}

/** The project's files in the nearest parent folder that has some, below the home folder. */
async function filesAbove(search: SearchOptions): Promise<readonly string[]> {
  const parent = dirname(search.cwd)
  if (parent === search.cwd || parent === homeOf(search.env)) return []
  const { configs } = await findConfigs({ ...search, cwd: parent })
  const files = configs.filter(({ scope }) => scope === 'project').map(({ file }) => file)
  return files.length > 0 ? files : filesAbove({ ...search, cwd: parent })
}

/** The search as lines for a person, with what to do next. */
export function describeSearch({
  variables,
  searched,
  otherFiles,
  parentFiles,
}: FruitlessSearch): readonly string[] {
  const folders = [...new Set(searched.map(({ folder }) => folder))]
  return [
    'toolbridge: no MCP configuration found. Looked for:',
    ...variables.map((name) => `  ${name} in the environment and in .env`),
    ...folders.flatMap((folder) => folderLines(folder, searched)),
    'Next:',
    ...nextSteps.map(([command, purpose]) => `  ${command.padEnd(40)} ${purpose}`),
    ...listed(
      'Other hosts have servers in these files. Use them with --discover, or copy them with toolbridge config import:',
      otherFiles,
    ),
    ...listed('A folder above has a configuration. Change to it, or name a file with --mcp:', parentFiles),
  ]
}

function listed(title: string, files: readonly string[]): readonly string[] {
  return files.length === 0 ? [] : [title, ...files.map((file) => `  ${printable(file)}`)]
}

function folderLines(folder: string, searched: readonly SearchedLocation[]): readonly string[] {
  const paths = searched.filter((each) => each.folder === folder).map(({ path }) => path)
  return [`  in ${printable(folder)}:`, ...wrap('    ', printable(paths.join(', ')))]
}

const nextSteps: readonly (readonly [command: string, purpose: string])[] = [
  ['toolbridge add <name> -- <command>', 'add a program to this project; --user: to all projects'],
  ['toolbridge add <url>', 'add a remote server'],
  ['toolbridge add io.github.owner/name', 'add a server of the MCP registry'],
  ['toolbridge tools --stdio "<command>"', 'try a program without a configuration'],
  ['toolbridge tools --http <url>', 'try a remote server without a configuration'],
  ['toolbridge --mcp <file> …', 'use another file'],
]

/** The search as JSON. */
export function jsonSearch(search: FruitlessSearch): object {
  return {
    error: {
      code: 'no_configuration',
      message: 'no MCP configuration found',
      fix: 'toolbridge config add <name> -- <command>',
      ...search,
    },
  }
}
