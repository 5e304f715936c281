import type { SignOutOptions } from '@toolbridge/react'
import { createContext, useContext } from 'react'

const SignOutContext = createContext<((options?: SignOutOptions) => void) | null>(null)

/** Provides the function that signs out. */
export const SignOutProvider = SignOutContext.Provider

/** Returns the function that signs out. */
export function useSignOut(): (options?: SignOutOptions) => void {
  const signOut = useContext(SignOutContext)
  if (signOut === null) throw new TypeError('useSignOut is used outside of SignOutProvider')
  return signOut
}
