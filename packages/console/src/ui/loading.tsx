/** Placeholder rows that reserve the space of the content. */
export function LoadingRows({ label, rows = 3 }: { readonly label: string; readonly rows?: number }) {
  return (
    <div
      role="status"
      aria-label={label}
      className="divide-y divide-line rounded-lg border border-line bg-surface"
    >
      {Array.from({ length: rows }, (_, row) => (
        <div key={row} className="space-y-2.5 px-4 py-4">
          <div className="skeleton h-4 w-40 max-w-full" />
          <div className="skeleton h-3 w-64 max-w-full" />
        </div>
      ))}
    </div>
  )
}
