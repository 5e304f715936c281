/**
 * What Node makes of a text: as a WHATWG URL, and percent-decoded. Readings that fail are omitted.
 *
 * @param {string} text
 * @returns {Readonly<Record<string, string>>}
 */
export function readByNode(text) {
  const url = parsed(text)
  return {
    ...(url && { scheme: url.protocol.slice(0, -1), address: url.href, path: url.pathname }),
    ...(url && optional('decodedPath', url.pathname)),
    ...optional('decoded', text),
  }
}

/**
 * The value of `path` in a JSON document, as text.
 *
 * @param {string} document
 * @returns {Readonly<Record<string, string>>}
 */
export function readDocumentByNode(document) {
  const value = JSON.parse(document).path
  return typeof value === 'string' ? { path: value } : {}
}

/**
 * @param {string} name
 * @param {string} text
 * @returns {Readonly<Record<string, string>>}
 */
function optional(name, text) {
  try {
    return { [name]: decodeURIComponent(text) }
  } catch {
    return {}
  }
}

/**
 * Not `URL.canParse`: on Node 20 and 22 it refuses addresses with accents once it was called often enough to be compiled.
 *
 * @param {string} text
 * @returns {URL | undefined}
 */
function parsed(text) {
  try {
    return new URL(text)
  } catch {
    return undefined
  }
}
