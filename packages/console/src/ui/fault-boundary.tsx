import { Component, type ReactNode } from 'react'
import { Button } from './button.tsx'
import { Notice } from './notice.tsx'

interface FaultState {
  readonly fault: Error | null
  /** Where the fault was. */
  readonly place?: string | undefined
}

/** Properties of `FaultBoundary`. */
export interface FaultBoundaryProps {
  /** When it changes, the children are tried again. Default: never. */
  readonly place?: string
  readonly children: ReactNode
}

/** Shows errors of the page itself instead of an empty page. */
export class FaultBoundary extends Component<FaultBoundaryProps, FaultState> {
  override readonly state: FaultState = { fault: null }

  static getDerivedStateFromError(fault: Error): Pick<FaultState, 'fault'> {
    return { fault }
  }

  static getDerivedStateFromProps({ place }: FaultBoundaryProps, state: FaultState): FaultState | null {
    return place === state.place ? null : { fault: null, place }
  }

  override render(): ReactNode {
    const { fault } = this.state
    if (fault === null) return this.props.children
    return (
      <div className="mx-auto max-w-2xl p-4">
        <Notice
          tone="fail"
          title="This page has an error"
          action={<Button onClick={() => location.reload()}>Reload</Button>}
        >
          <p>Your saved settings are not lost. The error is:</p>
          <p className="mt-1 font-mono text-xs break-words">{fault.message}</p>
        </Notice>
      </div>
    )
  }
}
