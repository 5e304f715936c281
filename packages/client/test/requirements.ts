import { authorization } from './requirements/authorization.ts'
import { base } from './requirements/base.ts'
import { features } from './requirements/features.ts'
import { transports } from './requirements/transports.ts'

/** The revisions of the protocol, oldest first. */
export const revisions = ['2024-11-05', '2025-03-26', '2025-06-18', '2025-11-25', '2026-07-28'] as const

/** Must, should, optional, must not (X), or not a matter of that revision. */
export type Level = 'M' | 'S' | 'O' | 'X' | '-'

/** What the specification demands of a client, or allows it. A test proves it by its id at the end of its title: `… [B6 B7]`. */
export type Requirement = {
  readonly id: string
  /** What the client does. */
  readonly behaviour: string
  /** A letter for each of `revisions`. */
  readonly levels: `${Level}${Level}${Level}${Level}${Level}`
  /** Where the newest revision that it applies to says so, below https://modelcontextprotocol.io/specification/. */
  readonly page: string
} & (
  | { readonly status?: never }
  /** A known gap. No test cites it; one that does makes it a fact. */
  | { readonly status: 'planned'; readonly reason: string }
)

/** Every behaviour, in the order in which documents show them. */
export const requirements: readonly Requirement[] = [...base, ...transports, ...features, ...authorization]
