import { z } from 'zod'
import type { ConnectedHost, ConnectResponse, HostsResponse } from '../../hosts.ts'
import { timeSchema } from './common.ts'

export const connectedHostSchema: z.ZodType<ConnectedHost> = z.object({
  name: z.string(),
  lastSeenAt: timeSchema,
})

export const hostsResponseSchema: z.ZodType<HostsResponse> = z.object({ hosts: z.array(connectedHostSchema) })

const fileSchema = z.object({ linux: z.string(), darwin: z.string(), win32: z.string() })

export const connectResponseSchema: z.ZodType<ConnectResponse> = z.object({
  keyPlaceholder: z.string(),
  guides: z.array(
    z.object({
      id: z.string(),
      name: z.string(),
      text: z.string(),
      files: fileSchema.exactOptional(),
      command: z.string().exactOptional(),
      usesKey: z.boolean(),
    }),
  ),
})
