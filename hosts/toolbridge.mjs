/** What Toolbridge would start for the files of a run. */
import { resolve } from 'node:path'
import { discoverConfigs, mergeConfigs, resolveSpec } from '@toolbridge/bridge/config'
import { environmentOf } from './run-host.mjs'
import { toolNames } from './stub-answers.mjs'

/** Reads the files of a host as the bridge would, and returns the servers by name. */
export async function readByToolbridge(run, { dialect }) {
  const env = environmentOf(run)
  const found = await discoverConfigs({ env, cwd: run.project, home: run.home, platform: 'linux' })
  const own = found.filter(({ file, reading }) => file.startsWith(run.folder) && reading.dialect === dialect)
  const { servers, issues } = mergeConfigs(own.map((each) => ({ ...each, reading: { ...each.reading } })))
  const expected = new Map()
  for (const { spec } of servers) expected.set(spec.name, await expectedOf(spec, run))
  return { servers: expected, issues }
}

/** What a definition starts. */
export async function expectedOf(spec, run) {
  const warnings = []
  if (!spec.enabled) return { isStarted: false, warnings }
  const authority = { kind: 'local', env: environmentOf(run), workspaceFolder: run.project }
  try {
    const { spec: resolved, issues } = await resolveSpec(spec, authority)
    warnings.push(...issues.map(({ message }) => message))
    return { isStarted: true, warnings, tools: toolsOf(spec), ...launchOf(resolved, run) }
  } catch (error) {
    return { isStarted: false, warnings: [...warnings, error.message] }
  }
}

function launchOf(resolved, run) {
  if (resolved.transport !== 'stdio') return { url: resolved.url, headers: resolved.headers }
  const { command, args, env, cwd = run.project } = resolved
  return { command, args: args.slice(2), label: args[1], env, cwd: resolve(cwd) }
}

function toolsOf({ tools = {}, approval = {} }) {
  const isDenied = (tool) => (approvalOf(approval, tool) ?? approval.default) === 'deny'
  return toolNames.filter(
    (tool) =>
      (tools.allow === undefined || tools.allow.some((glob) => matches(glob, tool))) &&
      !(tools.deny ?? []).some((glob) => matches(glob, tool)) &&
      !isDenied(tool),
  )
}

function approvalOf({ tools = {} }, tool) {
  return tools[tool] ?? Object.entries(tools).find(([glob]) => matches(glob, tool))?.[1]
}

function matches(glob, tool) {
  const pattern = glob.split('*').map((part) => part.replaceAll(/[.+?^${}()|[\]\\]/g, String.raw`\$&`))
  return new RegExp(`^${pattern.join('.*')}$`, 's').test(tool)
}
