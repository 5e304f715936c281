import { type QueryClient, QueryClientProvider } from '@tanstack/react-query'
import type { GatewayClient } from '@toolbridge/react'
import { useEffect, useMemo, useSyncExternalStore } from 'react'
import { Redirect, Route, Router, Switch } from 'wouter'
import { useHashLocation } from 'wouter/use-hash-location'
import { ActivityPage } from './activity/activity-page.tsx'
import { GatewayProvider } from './api.ts'
import { InboxPage } from './inbox/inbox-page.tsx'
import { KeysPage, type KeysPageProps } from './keys/keys-page.tsx'
import { ServersPage } from './servers/servers-page.tsx'
import { Shell } from './shell.tsx'
import type { SignInStore } from './sign-in/sign-in-store.ts'
import { SignedOutPage, SignInAgain } from './sign-in/signed-out-page.tsx'
import { type CallStore, CallsProvider } from './tools/call-store.ts'
import { ToolsPage } from './tools/tools-page.tsx'
import { Mark } from './ui/icon.tsx'
import { ToastProvider } from './ui/toast.tsx'

/** Properties of `App`: the objects that outlive a page. */
export interface AppProps {
  readonly signIn: SignInStore
  readonly gateway: GatewayClient
  readonly queryClient: QueryClient
  readonly calls: CallStore
}

/** The console: its pages if signed in, otherwise the sign-in page; both if the sign-in has expired. */
export function App({ signIn, gateway, queryClient, calls }: AppProps) {
  const { getSnapshot, subscribe } = signIn
  const state = useSyncExternalStore(subscribe, getSnapshot)
  const signOut = (options: { readonly everywhere?: boolean } = {}): void => {
    void signIn.signOut(gateway, options)
  }
  const number = 'number' in state ? state.number : 0
  // A new object for each sign-in, which opens the event stream again.
  const connected = useMemo(() => ({ ...gateway, number }), [gateway, number])
  useEffect(() => {
    if (state.kind === 'signed-out') queryClient.clear()
  }, [state, queryClient])
  if (state.kind === 'signing-in') return <SigningIn />
  if (state.kind === 'signed-out')
    return <SignedOutPage reason={state.reason} signIn={signIn} gateway={gateway} />
  return (
    <GatewayProvider value={connected}>
      <QueryClientProvider client={queryClient}>
        <CallsProvider value={calls}>
          <ToastProvider>
            <Router hook={useHashLocation}>
              <Shell onSignOut={() => signOut()}>
                <Pages onSignOutEverywhere={() => signOut({ everywhere: true })} />
              </Shell>
            </Router>
          </ToastProvider>
        </CallsProvider>
      </QueryClientProvider>
      {state.kind === 'expired' && <SignInAgain signIn={signIn} gateway={gateway} />}
    </GatewayProvider>
  )
}

/** Routes by the URL fragment, so that the files can be served under any path. */
function Pages({ onSignOutEverywhere }: KeysPageProps) {
  return (
    <Switch>
      <Route path="/servers" component={ServersPage} />
      <Route path="/tools/:name?" component={ToolsPage} />
      <Route path="/inbox" component={InboxPage} />
      <Route path="/activity" component={ActivityPage} />
      <Route path="/keys">
        <KeysPage onSignOutEverywhere={onSignOutEverywhere} />
      </Route>
      <Route>
        <Redirect to="/servers" replace />
      </Route>
    </Switch>
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
