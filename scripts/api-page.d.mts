import type { Operation } from '@toolbridge/api/openapi'

/** The text of docs/api.md. */
export function apiPage(operations: readonly Operation[]): string
