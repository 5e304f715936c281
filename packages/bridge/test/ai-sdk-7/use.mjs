// For `node --import`: resolves the AI SDK from this folder, wherever it is imported.
import { register } from 'node:module'

const hooks = `
const folder = ${JSON.stringify(import.meta.url)}
export const resolve = (specifier, context, next) =>
  next(specifier, /^ai(\\/|$)/.test(specifier) ? { ...context, parentURL: folder } : context)
`
register(`data:text/javascript,${encodeURIComponent(hooks)}`)
