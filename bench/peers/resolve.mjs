/**
 * The address of a module as files in this folder import it.
 *
 * @param {string} specifier
 */
export function resolve(specifier) {
  return import.meta.resolve(specifier)
}
