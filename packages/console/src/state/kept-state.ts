import { useState, useSyncExternalStore } from 'react'

/** What a person typed on a page. It stays while other pages are shown, until the person signs out. */
export interface KeptState<T> {
  readonly get: () => T
  readonly set: (value: T) => void
  readonly subscribe: (listener: () => void) => () => void
}

const everyReset = new Set<() => void>()

/** Creates a state that outlives its page. Call it once, outside of components. */
export function keptState<T>(initial: T): KeptState<T> {
  let current = initial
  const listeners = new Set<() => void>()
  const set = (value: T): void => {
    current = value
    for (const listener of listeners) listener()
  }
  everyReset.add(() => set(initial))
  return {
    get: () => current,
    set,
    subscribe: (listener) => {
      listeners.add(listener)
      return () => listeners.delete(listener)
    },
  }
}

/** Returns the value of a kept state and the function that changes it. */
export function useKeptState<T>({ get, set, subscribe }: KeptState<T>): readonly [T, (value: T) => void] {
  return [useSyncExternalStore(subscribe, get), set]
}

/** Forgets what was typed on every page, for the next person. */
export function forgetKeptStates(): void {
  for (const reset of everyReset) reset()
}

/** In memory: what people type may be secret. */
const typed = keptState<ReadonlyMap<string, unknown>>(new Map())

/**
 * Like `useState`, but the state outlives the component, so that nothing typed is lost when the person visits another page.
 * Another component with the same key must have a state of the same type. Without a key, the state is not kept.
 */
export function useTypedState<T>(
  key: string | undefined,
  initial: () => T,
): readonly [state: T, change: (state: T) => void] {
  const [own, setOwn] = useState(initial)
  const kept = useSyncExternalStore(typed.subscribe, () => (key === undefined ? undefined : typedUnder(key)))
  const change = (changed: T): void => (key === undefined ? setOwn(changed) : keepTyped(key, changed))
  return [kept === undefined ? own : (kept as T), change]
}

/** Returns what was typed under a key; undefined if nothing was. */
export function typedUnder(key: string): unknown {
  return typed.get().get(key)
}

/** Changes the state of the components with this key. Undefined: they have their initial state again. */
export function keepTyped(key: string, state: unknown): void {
  typed.set(new Map(typed.get()).set(key, state))
}
