/** A hook of Node's module loader: the lockbox gets the module that does not encrypt. */
const replacement = new URL('identity-seal.mjs', import.meta.url).href

/** @type {import('node:module').ResolveHook} */
export async function resolve(specifier, context, nextResolve) {
  const resolved = await nextResolve(specifier, context)
  const isOfLockbox = context.parentURL?.includes('/lockbox/dist/') === true
  return isOfLockbox && resolved.url.endsWith('/sealing/seal.js')
    ? { ...resolved, url: replacement }
    : resolved
}
