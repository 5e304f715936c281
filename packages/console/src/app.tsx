import {
  type GatewayClient,
  GatewayProvider,
  type GatewayStore,
  type SignOutOptions,
} from '@toolbridge/react'
import { Suspense, useEffect, useMemo, useSyncExternalStore } from 'react'
import { Redirect, Route, Router, Switch } from 'wouter'
import { useHashLocation } from 'wouter/use-hash-location'
import { forgetDraft } from './add/add-draft.ts'
import { answersKey } from './inbox/answer-keys.ts'
import { forgetEdits } from './servers/edit-drafts.ts'
import { pages } from './shell/pages.ts'
import { Shell } from './shell/shell.tsx'
import { ShownRouter } from './shell/shown-router.tsx'
import type { ServerSignInOutcome } from './sign-in/server-callback.ts'
import { ServerSignInFailure } from './sign-in/server-sign-in-failure.tsx'
import type { SignInStore } from './sign-in/sign-in-store.ts'
import { SignOutProvider } from './sign-in/sign-out.ts'
import { SignedOutPage, SignInAgain } from './sign-in/signed-out-page.tsx'
import { Mark } from './ui/icon.tsx'
import { forgetKeptStates } from './state/kept-state.ts'
import { LoadingRows } from './ui/loading.tsx'
import { ToastProvider } from './ui/toast.tsx'

/** Properties of `App`: the objects that outlive a page. */
export interface AppProps {
  readonly signIn: SignInStore
  readonly gateway: GatewayClient
  readonly store: GatewayStore
  readonly serverSignIn: ServerSignInOutcome
}

/** The console: its pages if signed in, otherwise the sign-in page; both if the sign-in has expired. */
export function App({ signIn, gateway, store, serverSignIn }: AppProps) {
  const { getSnapshot, subscribe } = signIn
  const state = useSyncExternalStore(subscribe, getSnapshot)
  const number = 'number' in state ? state.number : 0
  const signOut = useMemo(
    () => (options?: SignOutOptions) => void signIn.signOut(gateway, options),
    [signIn, gateway],
  )
  useEffect(() => {
    if (state.kind !== 'signed-out') return
    store.clear()
    forgetKeptStates()
    if (state.reason !== 'signed-out') return
    forgetDraft(sessionStorage)
    forgetEdits(sessionStorage)
    sessionStorage.removeItem(answersKey)
  }, [state, store])
  useEffect(() => {
    if (number > 0) store.reconnect()
  }, [number, store])
  if (state.kind === 'signing-in') return <SigningIn />
  if (state.kind === 'signed-out')
    return <SignedOutPage reason={state.reason} signIn={signIn} gateway={gateway} />
  return (
    <GatewayProvider client={gateway} store={store}>
      <SignOutProvider value={signOut}>
        <ToastProvider>
          <ServerSignInFailure outcome={serverSignIn} />
          <Router hook={useHashLocation}>
            <Shell>
              <ShownRouter>
                <Pages />
              </ShownRouter>
            </Shell>
          </Router>
        </ToastProvider>
      </SignOutProvider>
      {state.kind === 'expired' && <SignInAgain signIn={signIn} gateway={gateway} />}
    </GatewayProvider>
  )
}

const startPage = pages[0]?.path ?? '/'

/** Routes by the URL fragment, so that the files can be served under any path. */
function Pages() {
  return (
    <Suspense fallback={<LoadingRows label="Loading the page" />}>
      <Switch>
        {pages.map(({ path, parameters = '', component }) => (
          <Route key={path} path={`${path}${parameters}`} component={component} />
        ))}
        {pages.map(({ path, item }) => item && <Route key={path} path={`${path}/:name`} component={item} />)}
        <Route>
          <Redirect to={startPage} replace />
        </Route>
      </Switch>
    </Suspense>
  )
}

function SigningIn() {
  return (
    <div role="status" className="grid min-h-dvh place-items-center text-sm text-ink-soft">
      <span className="flex items-center gap-2.5">
        <Mark className="size-5" /> Signing in…
      </span>
    </div>
  )
}
