import type { ConfigResponse } from '@toolbridge/api'
import { signedInPerson } from '../sign-in/signed-in-person.ts'
import { isJsonObject } from '../ui/json.ts'
import { keepInTab, keptInTab, type TabStorage } from '../state/tab-storage.ts'

/** What a person typed into the editor of a server and did not save. */
export interface EditDraft {
  readonly text: string
  /** The settings that it was typed for. */
  readonly base: ConfigResponse
}

type Drafts = Readonly<Record<string, EditDraft>>

const storageKey = 'toolbridge.edit-drafts'

/** Returns the draft of a server that the person left in this tab. */
export function keptEdit(name: string): EditDraft | undefined {
  const drafts = keptEdits()
  return Object.hasOwn(drafts, name) ? drafts[name] : undefined
}

/** Keeps the draft of a server, with its secrets, until the tab closes. Undefined: forgets it. */
export function keepEdit(name: string, draft: EditDraft | undefined): void {
  const { [name]: _before, ...others } = keptEdits()
  const drafts = draft === undefined ? others : { ...others, [name]: draft }
  keepInTab(sessionStorage, storageKey, signedInPerson(), drafts)
}

/** Removes all drafts. */
export function forgetEdits(storage: TabStorage): void {
  storage.removeItem(storageKey)
}

function keptEdits(): Drafts {
  const kept = keptInTab(sessionStorage, storageKey, signedInPerson())
  if (!isJsonObject(kept)) return {}
  return Object.fromEntries(
    Object.entries(kept).flatMap(([name, draft]) => (isDraft(draft) ? [[name, draft]] : [])),
  )
}

/** Only this page writes the value; one of another version of it may have another shape. */
function isDraft(kept: unknown): kept is EditDraft {
  return isJsonObject(kept) && typeof kept['text'] === 'string' && isJsonObject(kept['base'])
}
