import { type QueryClient, QueryClientProvider } from '@tanstack/react-query'
import type { GatewayClient } from '@toolbridge/react'
import { useSyncExternalStore } from 'react'
import { Redirect, Route, Router, Switch } from 'wouter'
import { useHashLocation } from 'wouter/use-hash-location'
import { ActivityPage } from './activity/activity-page.tsx'
import { GatewayProvider } from './api.ts'
import { InboxPage } from './inbox/inbox-page.tsx'
import { ServersPage } from './servers/servers-page.tsx'
import { Shell } from './shell.tsx'
import type { SignInStore } from './sign-in/sign-in-store.ts'
import { SignedOutPage } from './sign-in/signed-out-page.tsx'
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

/** The console: its pages if signed in, otherwise the sign-in page. */
export function App({ signIn, gateway, queryClient, calls }: AppProps) {
  const { getSnapshot, subscribe } = signIn
  const state = useSyncExternalStore(subscribe, getSnapshot)
  const signOut = async (): Promise<void> => {
    await signIn.signOut(gateway)
    queryClient.clear()
  }
  switch (state.kind) {
    case 'signing-in':
      return <SigningIn />
    case 'signed-out':
      return <SignedOutPage reason={state.reason} signIn={signIn} gateway={gateway} />
    case 'signed-in':
      return (
        <GatewayProvider value={gateway}>
          <QueryClientProvider client={queryClient}>
            <CallsProvider value={calls}>
              <ToastProvider>
                <Router hook={useHashLocation}>
                  <Shell onSignOut={() => void signOut()}>
                    <Pages />
                  </Shell>
                </Router>
              </ToastProvider>
            </CallsProvider>
          </QueryClientProvider>
        </GatewayProvider>
      )
  }
}

/** Routes by the URL fragment, so that the files can be served under any path. */
function Pages() {
  return (
    <Switch>
      <Route path="/servers" component={ServersPage} />
      <Route path="/tools/:name?" component={ToolsPage} />
      <Route path="/inbox" component={InboxPage} />
      <Route path="/activity" component={ActivityPage} />
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
