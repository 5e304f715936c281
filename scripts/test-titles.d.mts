/** The ids of requirements in brackets. */
export function requirementIdsIn(text: string): readonly string[]

/** The ids of advisories in brackets after `advisory`. */
export function advisoryIdsIn(text: string): readonly string[]

/** A title without its ids. */
export function plainTitle(title: string): string

/** Files below a folder of the repository whose paths match, sorted. */
export function filesBelow(folder: string, pattern: RegExp): readonly string[]
