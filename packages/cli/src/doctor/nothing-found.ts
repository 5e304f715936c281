import { discoverConfigs } from '@toolbridge/bridge/config'
import type { Options } from '../command.ts'
import { searchOptions } from '../configuration.ts'
import { printable } from '../printable.ts'
import type { Terminal } from '../terminal.ts'
import type { DoctorReport } from './doctor-report.ts'

/** The report without a configuration. */
export const nothingFound: DoctorReport = {
  path: null,
  dialect: null,
  isActive: false,
  servers: [],
  results: [],
}

/** Where a configuration was looked for, and which files of other hosts there are. */
export async function whereLooked(terminal: Terminal, options: Options): Promise<readonly string[]> {
  const found = await discoverConfigs({ ...searchOptions(terminal, options), signal: terminal.signal })
  const files = found.filter(({ reading }) => reading.servers.length > 0).map(({ file }) => file)
  return [
    'No MCP configuration found: looked at --mcp, TOOLBRIDGE_MCP_FILE and .toolbridge/mcp.json.',
    ...(files.length === 0
      ? []
      : [
          'Other hosts have servers in these files, which --discover uses:',
          ...files.map((file) => printable(`  ${file}`)),
        ]),
  ]
}
