import { nearestName } from '@toolbridge/client/internal'
import { ConfigError } from '../../errors.ts'
import type { ConfigReading } from '../read/read-config.ts'
import type { Issue } from '../spec/issue.ts'
import type { UnwritableField } from '../write/unwritable-fields.ts'

type Refused = Pick<Issue, 'code' | 'message' | 'fix'>

/** Creates the error of a refused change. */
export function refusal(file: string, finding: Refused): ConfigError {
  return ConfigError.of([{ ...finding, severity: 'error', file, path: '' }])
}

/** A server is not written without its restrictions. */
export function unwritableFieldIssue(file: string, { server, field, reason }: UnwritableField): Issue {
  const message = `server "${server}" cannot be written here without ${field}: ${reason}`
  const fix = 'write it to a file that supports it, such as .toolbridge/mcp.json'
  return { code: 'edit_refused', severity: 'error', file, path: '', message, fix }
}

/** The name is not new. */
export function serverExists(name: string): Refused {
  return {
    code: 'server_exists',
    message: `server "${name}" is already defined in this file`,
    fix: 'choose another name, or replace the definition',
  }
}

/** There is nothing to change. */
export function unknownServer(name: string, { servers, refused = [] }: ConfigReading): Refused {
  const names = [...servers.map((spec) => spec.name), ...refused]
  // The file may have several of this name.
  const nearest = names.includes(name) ? undefined : nearestName(name, names)
  return {
    code: 'server_unknown',
    message: `the file has no single server "${name}" to change; it has: ${names.join(', ') || 'none'}`,
    fix: `${nearest === undefined ? '' : `did you mean "${nearest}"? `}name one of them`,
  }
}

/** The result would say something else than was meant. */
export function unsafe(name: string): Refused {
  return {
    code: 'edit_refused',
    message: `server "${name}" cannot be changed here without side effects`,
    fix: 'edit the file by hand',
  }
}

/** The dialect cannot express it. */
export function cannotSwitch(name: string, title: string, isOn: boolean): Refused {
  return {
    code: 'edit_refused',
    message: `${title} cannot ${isOn ? 'enable' : 'disable'} server "${name}" in this file`,
    fix: isOn ? 'edit the file by hand' : 'remove the server, or disable it in its host',
  }
}

/** The dialect is only read. */
export function readOnlyDialect(title: string): Refused {
  return {
    code: 'edit_refused',
    message: `${title} configurations are read only`,
    fix: 'write to .toolbridge/mcp.json, or use the host itself',
  }
}
