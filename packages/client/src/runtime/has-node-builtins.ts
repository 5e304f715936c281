/** Whether this runtime has Node's modules. */
export function hasNodeBuiltins(): boolean {
  return typeof process === 'object' && typeof process.getBuiltinModule === 'function'
}
