import { classNames } from '../ui/class-names.ts'
import { type SideBySideLine, sideBySide } from './side-by-side.ts'

/** Properties of `PinDiff`. */
export interface PinDiffProps {
  readonly tool: string
  /** Line diff: text of a server, shown as text. */
  readonly change: string
}

/** What was approved beside what is there now; one below the other on narrow screens. */
export function PinDiff({ tool, change }: PinDiffProps) {
  const lines = sideBySide(change)
  return (
    <div className="mt-3 grid gap-2 md:grid-cols-2">
      <Side label={`${tool} as approved`} title="As approved" side="before" lines={lines} />
      <Side label={`${tool} now`} title="Now" side="after" lines={lines} />
    </div>
  )
}

interface SideProps {
  readonly label: string
  readonly title: string
  readonly side: 'before' | 'after'
  readonly lines: readonly SideBySideLine[]
}

const marks = {
  before: { mark: '−', color: 'bg-fail-soft' },
  after: { mark: '+', color: 'bg-ready-soft' },
} as const

function Side({ label, title, side, lines }: SideProps) {
  const { mark, color } = marks[side]
  return (
    <figure className="min-w-0">
      <figcaption className="eyebrow mb-1">{title}</figcaption>
      <pre
        // biome-ignore lint/a11y/noNoninteractiveTabindex: what scrolls must be reachable with the keyboard
        tabIndex={0}
        role="region"
        aria-label={label}
        className="max-h-96 overflow-auto rounded-md border border-line bg-sunken py-1.5 font-mono text-xs leading-relaxed"
      >
        {lines.map((line, index) => {
          const text = line[side]
          const isMarked = line.kind === 'changed' && text !== undefined
          return (
            <span
              // biome-ignore lint/suspicious/noArrayIndexKey: lines have no other identity
              key={index}
              className={classNames('block px-2 wrap-anywhere whitespace-pre-wrap', isMarked && color)}
            >
              {isMarked ? `${mark} ` : '  '}
              {text ?? ''}
              {'\n'}
            </span>
          )
        })}
      </pre>
    </figure>
  )
}
