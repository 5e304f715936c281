import type { ImportResponse } from '@toolbridge/api'
import { useCallback, useState } from 'react'
import { signedInPerson } from '../sign-in/signed-in-person.ts'
import { type AddDraft, emptyDraft, forgetDraft, keepDraft, keptDraft } from './add-draft.ts'

/** The draft of this tab and what can be done with it. */
export interface AddEditing {
  readonly draft: AddDraft
  readonly change: (changes: Partial<AddDraft>) => void
  /** Forgets everything that was typed. */
  readonly discard: () => void
}

/** What every way of adding needs. */
export interface AddPanelProps extends AddEditing {
  readonly onSaved: (response: ImportResponse) => void
}

/** The draft of the person who is signed in, which survives a reload of the page and ends with the tab. */
export function useAddDraft(): AddEditing {
  const [draft, setDraft] = useState(() => keptDraft(sessionStorage, signedInPerson()))
  const change = useCallback((changes: Partial<AddDraft>) => {
    setDraft((before) => {
      const after = { ...before, ...changes }
      keepDraft(sessionStorage, signedInPerson(), after)
      return after
    })
  }, [])
  const discard = useCallback(() => {
    forgetDraft(sessionStorage)
    setDraft(({ way }) => ({ ...emptyDraft, way }))
  }, [])
  return { draft, change, discard }
}
