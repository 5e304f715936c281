import type { OwnRuleDescription } from '@toolbridge/api'
import { GatewayError, useGateway, useGatewayEvents } from '@toolbridge/react'
import { useEffect } from 'react'
import { useAction } from '../state/use-action.ts'
import { type ReadDraft, rowAt } from './rules-text.ts'

/** What the gateway says about the rows of a draft. */
export interface Descriptions {
  /** By id of the row. */
  readonly rules: ReadonlyMap<number, OwnRuleDescription>
  /** Messages about invalid rules, by id of the row. */
  readonly issues: ReadonlyMap<number, string>
  /** Why nothing could be said. */
  readonly error: Error | null
}

const delayMs = 250

/** Asks the gateway what rules say, shortly after they were typed and whenever the tools change. `reading` is the same until then. */
export function useDescriptions(reading: ReadDraft): Descriptions {
  const gateway = useGateway()
  const { run, data, error } = useAction(({ rules, places }: ReadDraft) => describe(gateway, rules, places))
  useEffect(() => {
    const timer = setTimeout(() => run(reading), delayMs)
    return () => clearTimeout(timer)
  }, [reading, run])
  useGatewayEvents(({ type }) => {
    if (type === 'tools' || type === 'hello') run(reading)
  })
  return { rules: data?.rules ?? new Map(), issues: data?.issues ?? new Map(), error }
}

type Described = Omit<Descriptions, 'error'>

async function describe(
  gateway: ReturnType<typeof useGateway>,
  rules: ReadDraft['rules'],
  places: ReadDraft['places'],
): Promise<Described> {
  try {
    const described = await gateway.describePermissions({ rules })
    return { rules: byRow(described.rules, places), issues: new Map() }
  } catch (error) {
    if (error instanceof GatewayError && error.kind === 'invalid')
      return { rules: new Map(), issues: issuesByRow(error, places) }
    throw error
  }
}

function byRow(described: readonly OwnRuleDescription[], places: ReadDraft['places']): Described['rules'] {
  return new Map(
    described.flatMap((rule) => {
      const id = places.get(`/rules/${rule.kind}/${rule.index}`)
      return id === undefined ? [] : [[id, rule] as const]
    }),
  )
}

/** Returns the messages of an error about rows. */
export function issuesByRow(
  { issues }: GatewayError,
  places: ReadDraft['places'],
): ReadonlyMap<number, string> {
  return new Map(
    issues.flatMap(({ path, message }) => {
      const id = rowAt(places, path)
      return id === undefined ? [] : [[id, message] as const]
    }),
  )
}
