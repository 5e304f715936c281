import { pointerSteps } from '@toolbridge/client/internal'
/** Whether a JSON pointer leads into the entry of a server. */
export function isAbout(pointer: string, server: string): boolean {
  return pointerSteps(pointer).slice(0, 3).includes(server)
}
