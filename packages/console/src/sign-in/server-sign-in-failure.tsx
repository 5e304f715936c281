import { useEffect } from 'react'
import { sentence } from '../ui/notice.tsx'
import { useToast } from '../ui/toast.tsx'
import type { ServerSignInOutcome } from './server-callback.ts'

/** Shows why a sign-in to a server failed, as a message. */
export function ServerSignInFailure({ outcome }: { readonly outcome: ServerSignInOutcome }) {
  const toast = useToast()
  useEffect(() => {
    let isMounted = true
    void outcome.then((error) => {
      if (error !== undefined && isMounted)
        toast({ tone: 'fail', title: 'The sign-in to the server failed', detail: sentence(error.message) })
    })
    return () => {
      isMounted = false
    }
  }, [outcome, toast])
  return null
}
