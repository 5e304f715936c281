import { Suspense, useEffect } from 'react'
import { useLocation } from 'wouter'
import { keptState, useKeptState } from '../state/kept-state.ts'
import { lazyComponent } from '../ui/lazy-component.ts'

/** Loaded on first use: most of its code reads and checks JSON. */
const EditDialog = lazyComponent(async () => (await import('./edit-dialog.tsx')).EditDialog)

const edited = keptState<string | undefined>(undefined)

/** Opens the editor of a server. */
export function editServer(name: string): void {
  edited.set(name)
}

/** The editor that is open. Not part of the row of the server, which disappears if somebody removes the server. */
export function EditedServer() {
  const [name, setName] = useKeptState(edited)
  const [location] = useLocation()
  // biome-ignore lint/correctness/useExhaustiveDependencies: it belongs to the page on which it was opened
  useEffect(() => () => edited.set(undefined), [location])
  return (
    <Suspense>{name !== undefined && <EditDialog name={name} onClose={() => setName(undefined)} />}</Suspense>
  )
}
