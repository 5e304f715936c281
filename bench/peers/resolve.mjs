/**
 * URL of a module, resolved from this folder.
 *
 * @param {string} specifier
 */
export function resolve(specifier) {
  return import.meta.resolve(specifier)
}
