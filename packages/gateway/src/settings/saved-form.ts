import { type Issue, type ServerSpec, type UnwritableField, writeConfig } from '@toolbridge/bridge/config'
import { pointerTo } from '../errors/issues.ts'
import type { ClearEntry, ClearServers } from './mask-servers.ts'
import { storedReading } from './saved-servers.ts'

/** Definitions of any dialect as they are saved, and issues about what cannot be saved of them. */
export interface SavedForm {
  readonly servers: ClearServers
  readonly issues: readonly Issue[]
}

/** Converts definitions to the form in which they are saved: without the declarations of inputs. */
export function savedForm(specs: readonly ServerSpec[]): SavedForm {
  const { dialect } = storedReading
  const { text, unwritableFields } = writeConfig(specs.map(withoutInputs), { dialect })
  const written = JSON.parse(text) as { readonly mcpServers: ClearServers }
  return {
    servers: Object.fromEntries(
      Object.entries(written.mcpServers).map(([name, entry]) => [name, withoutUsualType(entry)]),
    ),
    issues: unwritableFields.map(lostField),
  }
}

function withoutInputs({ inputs: _inputs, ...spec }: ServerSpec): ServerSpec {
  return spec
}

/** Without a type, a command is a program and a URL is HTTP. */
function withoutUsualType({ type, ...entry }: ClearEntry): ClearEntry {
  const isUsual = type === undefined || type === 'stdio' || type === 'http'
  return isUsual ? entry : { type, ...entry }
}

function lostField({ server, field, outcome, reason }: UnwritableField): Issue {
  return {
    code: 'field_not_saved',
    severity: outcome === 'refused' ? 'error' : 'warning',
    file: storedReading.file,
    path: pointerTo(['mcpServers', server, ...field.split('.')]),
    message: `server "${server}": ${field}: ${reason}`,
    fix: 'remove it',
  }
}
