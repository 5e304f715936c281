/** A tab that is left for a moment keeps its stream. */
const hiddenForMs = 5_000

/** What makes a connection of a page useless although it has not ended. Runtimes that are no browser do not tell. */
export interface PageInterruptions {
  /** Aborted when the browser goes offline or online, and when the page has been hidden for some seconds. */
  readonly signal: AbortSignal
  readonly unwatch: () => void
}

/** Watches the page until `unwatch` is called. */
export function watchPage(): PageInterruptions {
  const interruption = new AbortController()
  const interrupt = (): void => interruption.abort()
  let hiding: ReturnType<typeof setTimeout> | undefined
  const onVisibility = (): void => {
    clearTimeout(hiding)
    if (isHidden()) hiding = setTimeout(interrupt, hiddenForMs)
  }
  const unlisten = [
    listen('online', interrupt),
    listen('offline', interrupt),
    onVisibilityChange(onVisibility),
  ]
  return {
    signal: interruption.signal,
    unwatch: () => {
      clearTimeout(hiding)
      for (const each of unlisten) each()
    },
  }
}

/** Resolves when the page is shown, at once if it is, or when the signal is aborted. */
export function untilShown(signal: AbortSignal): Promise<void> {
  return new Promise((resolve) => {
    const unlisten = onVisibilityChange(check)
    signal.addEventListener('abort', check)
    check()
    function check(): void {
      if (isHidden() && !signal.aborted) return
      unlisten()
      signal.removeEventListener('abort', check)
      resolve()
    }
  })
}

function isHidden(): boolean {
  return typeof document !== 'undefined' && document.visibilityState === 'hidden'
}

function onVisibilityChange(listener: () => void): () => void {
  if (typeof document === 'undefined') return () => undefined
  document.addEventListener('visibilitychange', listener)
  return () => document.removeEventListener('visibilitychange', listener)
}

function listen(type: 'online' | 'offline', listener: () => void): () => void {
  if (typeof addEventListener !== 'function') return () => undefined
  addEventListener(type, listener)
  return () => removeEventListener(type, listener)
}
