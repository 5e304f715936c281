const shapes = {
  servers: 'M2.5 3.5h11v3.5h-11zM2.5 9h11v3.5h-11zM5 5.25h.01M5 10.75h.01',
  tools:
    'M10.2 2.6a3.2 3.2 0 0 0-3.6 4.3L2.6 10.9a1.4 1.4 0 0 0 2 2l4.1-4a3.2 3.2 0 0 0 4.2-3.8L11 7 9 6.8 8.8 5z',
  inbox: 'M2.5 9.5 4.5 3h7l2 6.5v3.5h-11zM2.5 9.5h3l1 1.5h3l1-1.5h3',
  activity: 'M1.5 8.5h3l2-5 3 9 2-4h3',
  resources: 'M4 2.5h5.5l3 3v8H4zM9.5 2.5v3h3M6 8.5h4.5M6 11h4.5',
  prompts: 'M2.5 3h11v8H7l-3 2.5V11H2.5zM5 6h6M5 8.25h4',
  plus: 'M8 3v10M3 8h10',
  more: 'M3.5 8h.01M8 8h.01M12.5 8h.01',
  close: 'M4 4l8 8M12 4l-8 8',
  search: 'M7 11.5a4.5 4.5 0 1 0 0-9 4.5 4.5 0 0 0 0 9zM10.5 10.5 14 14',
  back: 'M9.5 3.5 5 8l4.5 4.5',
  forward: 'M6.5 3.5 11 8l-4.5 4.5',
  play: 'M4.5 3v10l8-5z',
  stop: 'M4 4h8v8H4z',
  copy: 'M5.5 5.5h8v8h-8zM3 10.5h-.5v-8h8V3',
  check: 'M3 8.5l3.2 3.2L13 5',
  leave: 'M6.5 2.5h-4v11h4M6.5 8h7M10.5 5l3 3-3 3',
  theme: 'M8 14A6 6 0 1 0 8 2a6 6 0 0 0 0 12zM8 2v12M8 5h4.5M8 8h6M8 11h4.5',
  alert: 'M8 2 1.5 13.5h13zM8 6.5v3M8 11.5h.01',
  key: 'M6 13.5a3 3 0 1 0 0-6 3 3 0 0 0 0 6zM8.1 8.4l5.4-5.4M11 5.5l2 2M9.3 7.2l1.2 1.2',
  connect: 'M6 2.5v3M10 2.5v3M4.5 5.5h7v2a3.5 3.5 0 0 1-7 0zM8 11v3',
  audit: 'M4 2.5h8v11H4zM6 5.5h4M6 8h4M6 10.5h2',
  versions: 'M8 4.5V8l2.5 1.5M2.6 6.2A5.8 5.8 0 1 1 2.2 8.6M2.5 3v3.3h3.3',
  lock: 'M4 7.5h8v6H4zM5.5 7.5v-2a2.5 2.5 0 0 1 5 0v2',
  question: 'M5.5 6a2.5 2.5 0 1 1 3.6 2.2c-.8.4-1.1.9-1.1 1.8M8 12.8h.01',
} as const

/** Name of an icon. */
export type IconName = keyof typeof shapes

/** A decorative icon: the text beside it or the label of its button carries the meaning. */
export function Icon({ name, className = '' }: { readonly name: IconName; readonly className?: string }) {
  return (
    <svg viewBox="0 0 16 16" width="16" height="16" aria-hidden="true" className={`shrink-0 ${className}`}>
      <path
        d={shapes[name]}
        fill="none"
        stroke="currentColor"
        strokeWidth="1.5"
        strokeLinecap="round"
        strokeLinejoin="round"
      />
    </svg>
  )
}

/** The logo: a bridge. */
export function Mark({ className = 'size-6' }: { readonly className?: string }) {
  return (
    <svg viewBox="0 0 24 24" aria-hidden="true" className={`shrink-0 text-accent ${className}`}>
      <path
        d="M1.5 16.5h21M7 5v14M17 5v14M7 5c1.5 8 8.5 8 10 0M7 5c-.8 5-2.5 7.5-5.5 8.5M17 5c.8 5 2.5 7.5 5.5 8.5"
        fill="none"
        stroke="currentColor"
        strokeWidth="1.75"
        strokeLinecap="round"
      />
    </svg>
  )
}
