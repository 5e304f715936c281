import { transform } from 'sucrase'

/** Removes the types of TypeScript. Lines stay where they are. Throws a `SyntaxError` that begins with the location. */
export function withoutTypes(code: string, file: string): string {
  try {
    return transform(code, { transforms: ['typescript'], disableESTransforms: true }).code
  } catch (error) {
    const reason = error instanceof Error ? error.message : String(error)
    const [, message = reason, line] = /^([^]*) \((\d+):\d+\)$/.exec(reason) ?? []
    throw new SyntaxError(`${file}${line === undefined ? '' : `:${line}`}: ${message}`)
  }
}
