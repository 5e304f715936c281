const markKey = 'toolbridge.sign-in-window'

/** The parts of `Window` that `closeSignInWindow` uses. */
export interface SignInWindowOwner {
  readonly sessionStorage: Pick<Storage, 'getItem'>
  close(): void
}

/**
 * Opens an empty window for the pages of an authorization server, or returns null if the browser refuses. Call it while a click
 * is handled.
 */
export function openSignInWindow(): Window | null {
  const opened = window.open('', '_blank', 'popup,width=560,height=720')
  if (opened === null) return null
  // The pages that it will show must not lead this one elsewhere.
  opened.opener = null
  // A copy of that of this tab, with what was typed in it.
  opened.sessionStorage.clear()
  opened.sessionStorage.setItem(markKey, '1')
  return opened
}

/** Closes a window that `openSignInWindow` opened. Any other stays. */
export function closeSignInWindow(window: SignInWindowOwner): void {
  if (window.sessionStorage.getItem(markKey) !== null) window.close()
}
