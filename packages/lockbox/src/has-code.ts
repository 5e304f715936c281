/** Whether `error` has this system or database code, such as `ENOENT` or `57P01`. */
export function hasCode(error: unknown, code: string): boolean {
  return error instanceof Error && 'code' in error && error.code === code
}
