import { maskEntry, type ServerEntryObject, type ServerSpec } from '@toolbridge/bridge/config'

/** Stands for a value that may be a secret. */
const hidden = '…'

/** Replaces every value of a definition, or of a part of one, that may be a secret. */
export function masked<Part extends object>(definition: Part): Part {
  // It keeps its fields, whose values are JSON.
  return maskEntry(definition as unknown as ServerEntryObject, hidden) as unknown as Part
}

/**
 * A definition for output that anybody may read, such as the log of a CI job: every value that may be a secret is `…`. Its
 * program is shown, and the host of its URL.
 */
export function maskedServer(server: ServerSpec): ServerSpec {
  const { inputs } = server
  const asked = inputs === undefined ? {} : masked({ inputs })
  if (server.transport === 'stdio') {
    const { command, args, env } = server
    const shown = masked({ command, args, env })
    return { ...server, ...asked, ...shown, command: shownProgram(command, shown.command) }
  }
  const { url, headers, headersHelper, auth } = server
  const shown = masked({ url, headers })
  return {
    ...server,
    ...asked,
    ...(headersHelper === undefined ? {} : masked({ headersHelper })),
    ...(auth === undefined ? {} : masked({ auth })),
    headers: shown.headers,
    url: shownAddress(url, shown.url),
  }
}

/** Some hosts accept a whole command line. */
function shownProgram(command: string, shown: string): string {
  return /[\s=]/.test(command) ? shown : command
}

/** A URL that is masked, without its user, path and query. */
function shownAddress(url: string, shown: string): string {
  const [, scheme = '', authority = ''] = /^([a-z]+:\/\/)([^/?#\\]*)/i.exec(url) ?? []
  if (shown !== hidden || scheme === '') return shown
  const origin = scheme + authority.slice(authority.lastIndexOf('@') + 1)
  return masked({ url: origin }).url === origin ? `${origin}/${hidden}` : hidden
}
