import { z } from 'zod'

/**
 * Saved secrets that a save would send to another destination than they were saved for. Such a save is refused, unless it
 * repeats the changes in `confirmedDestinations`: ask the person first, and show both destinations.
 */
export interface DestinationChange {
  /** Name of the server. */
  readonly server: string
  /** The references in the entry of the server, as JSON pointers such as `/headers/Authorization`. */
  readonly fields: readonly string[]
  /** The destination so far: scheme and host, or the program with its arguments. `…` stands for what may be a secret. */
  readonly from: string
  /** The destination after the save. */
  readonly to: string
}

/** Schema of `DestinationChange`. */
export const destinationChangeSchema: z.ZodType<DestinationChange> = z.strictObject({
  server: z.string(),
  fields: z.array(z.string()),
  from: z.string(),
  to: z.string(),
})
