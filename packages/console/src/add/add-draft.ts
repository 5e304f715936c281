import { isJsonObject } from '../ui/json.ts'
import { keepInTab, keptInTab, type TabStorage } from '../state/tab-storage.ts'
import { emptyForm, type FormDraft } from './form-draft.ts'

/** The ways to add servers. */
export type AddWay = 'paste' | 'form' | 'found'

/** What a person decided about one server of a text. */
export interface ServerChoice {
  /** Default: true. */
  readonly isIncluded?: boolean
  /** Name to save it under. Default: that of the text. */
  readonly as?: string
  /** Whether it replaces the saved server of that name. Default: false. */
  readonly replaces?: boolean
}

/** What a person has typed and chosen, but not saved. */
export interface AddDraft {
  readonly way: AddWay
  readonly text: string
  readonly form: FormDraft
  /** Decisions by the name of the server in the text. */
  readonly choices: Readonly<Record<string, ServerChoice>>
  /** Values of variables, such as `input:api-key`. */
  readonly values: Readonly<Record<string, string>>
}

/** The choices with a changed one. */
export function withChoice(
  choices: AddDraft['choices'],
  key: string,
  change: ServerChoice,
): AddDraft['choices'] {
  return { ...choices, [key]: { ...choices[key], ...change } }
}

export const emptyDraft: AddDraft = { way: 'paste', text: '', form: emptyForm, choices: {}, values: {} }

const storageKey = 'toolbridge.add-draft'

/** Keeps the draft of a person, with its secrets, until the tab closes. */
export function keepDraft(storage: TabStorage, person: string, draft: AddDraft): void {
  keepInTab(storage, storageKey, person, draft)
}

/** Returns the draft that this person left in this tab, and removes that of anyone else. */
export function keptDraft(storage: TabStorage, person: string): AddDraft {
  const kept = keptInTab(storage, storageKey, person)
  return isDraft(kept) ? { ...emptyDraft, ...kept } : emptyDraft
}

/** Removes the draft, with its secrets. */
export function forgetDraft(storage: TabStorage): void {
  storage.removeItem(storageKey)
}

/** Only this page writes the value; one of another version of it may have another shape. */
function isDraft(kept: unknown): kept is AddDraft {
  return isJsonObject(kept) && typeof kept['text'] === 'string'
}
