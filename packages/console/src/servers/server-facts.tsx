import type { ServerStatus } from '@toolbridge/api'
import { toolLimits } from './tool-limits.ts'

/** Details separated by dots; the dot at the start of a line is clipped. */
export function Facts({ facts }: { readonly facts: readonly string[] }) {
  return (
    <div className="overflow-hidden">
      <p className="-ml-4 flex flex-wrap text-[0.8125rem] text-ink-soft">
        {facts.map((fact) => (
          <span
            key={fact}
            className="relative min-w-0 pl-4 wrap-anywhere before:absolute before:left-0 before:w-4 before:text-center before:text-ink-faint before:content-['·']"
          >
            {fact}
          </span>
        ))}
      </p>
    </div>
  )
}

/** How a server is reached, what it says it is, and which of its tools are left out. */
export function identityOf({
  transport,
  serverInfo,
  protocolVersion,
  report,
}: ServerStatus): readonly string[] {
  const version = serverInfo === undefined ? [] : [`${serverInfo.name} ${serverInfo.version}`]
  const protocol = protocolVersion === undefined ? [] : [`MCP ${protocolVersion}`]
  return [transport, ...version, ...protocol, ...(report === undefined ? [] : toolLimits(report))]
}
