import type { Issue } from '@toolbridge/bridge/config'
import type { StageResult } from '@toolbridge/bridge/doctor'
import { gatewayInfo } from '../gateway-info.ts'
import type { OwnedDefinition, OwnerBridgeOptions } from './owner-bridge.ts'

/** A server to diagnose. */
export interface DiagnosedServer {
  readonly name: string
  /** Undefined if its definition is invalid. */
  readonly owned: OwnedDefinition | undefined
  /** Problems of its definition. */
  readonly issues: readonly Issue[]
}

/** Checks a server of an owner in stages. Imported on demand: few people need it. */
export async function* diagnoseOwned(
  { name, owned, issues }: DiagnosedServer,
  { owner, guard, transportOf, trust, credentials }: OwnerBridgeOptions,
  signal: AbortSignal,
): AsyncGenerator<StageResult, void> {
  const { diagnose } = await import('@toolbridge/bridge/doctor')
  yield* diagnose({
    configuration:
      owned === undefined ? { servers: [], issues, refused: [name] } : { servers: [owned.spec], issues },
    authority: owned?.authority ?? { kind: 'session' },
    principal: owner,
    clientInfo: gatewayInfo,
    guard,
    transportOf,
    signal,
    ...(credentials === undefined ? {} : { credentials }),
    ...(trust === undefined ? {} : { trust }),
  })
}
