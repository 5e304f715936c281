/** Whether `error` carries this code of the system or the database, such as `ENOENT` or `57P01`. */
export function hasCode(error: unknown, code: string): boolean {
  return error instanceof Error && 'code' in error && error.code === code
}
