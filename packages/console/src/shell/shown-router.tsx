import { createContext, type ReactNode, useContext, useDeferredValue } from 'react'
import { type BaseLocationHook, Router, useRouter } from 'wouter'
import { FaultBoundary } from '../ui/fault-boundary.tsx'
import { navigate, useHashLocation } from 'wouter/use-hash-location'

const ShownLocation = createContext('')

const useShownLocation: BaseLocationHook = () => [useContext(ShownLocation), navigate]

/** Routes to the page that is shown. It follows the address when the next page is ready, so no input waits for a page. */
export function ShownRouter({ children }: { readonly children: ReactNode }) {
  const { hrefs } = useRouter()
  const [location] = useHashLocation()
  return (
    <ShownLocation value={useDeferredValue(location)}>
      <Router hook={useShownLocation} hrefs={hrefs}>
        <FaultBoundary place={location}>{children}</FaultBoundary>
      </Router>
    </ShownLocation>
  )
}
