const systems = [
  'aix',
  'android',
  'darwin',
  'freebsd',
  'linux',
  'netbsd',
  'openbsd',
  'openharmony',
  'sunos',
  'win32',
]
const processors = [
  'arm64',
  'arm',
  'ia32',
  'loong64',
  'mips64el',
  'ppc64',
  'riscv64',
  's390x',
  'wasm32',
  'x64',
]

/** Rows for optional dependencies that the lock file names but does not contain, as `[path, row]`. */
export function missingPlatformPackages(lock) {
  const rows = Object.entries(lock.packages).flatMap(([path, row]) =>
    Object.entries(row.optionalDependencies ?? {})
      .filter(([name]) => !isHeld(lock, path, name))
      .map(([name, version]) => [`node_modules/${name}`, platformRow(name, version, row)]),
  )
  return [...new Map(rows).entries()]
}

/** npm resolves a dependency from the folder of the dependent package upwards. */
function isHeld(lock, path, name) {
  const parts = path.split('/node_modules/')
  const folders = ['', ...parts.map((_, index) => `${parts.slice(0, index + 1).join('/node_modules/')}/`)]
  return folders.some((folder) => lock.packages[`${folder}node_modules/${name}`] !== undefined)
}

function platformRow(name, version, parent) {
  const words = name.split(/[-/]/)
  const os = systems.filter(
    (system) => words.includes(system) || (system === 'win32' && words.includes('windows')),
  )
  const cpu = processors.filter((processor) => words.includes(processor))
  const libc = libraryIn(words)
  return {
    version: version.replace(/^[~^]/, ''),
    ...(cpu.length > 0 ? { cpu } : {}),
    ...(parent.dev === true ? { dev: true } : {}),
    ...(libc !== undefined && os.includes('linux') ? { libc: [libc] } : {}),
    optional: true,
    ...(os.length > 0 ? { os } : {}),
  }
}

function libraryIn(words) {
  if (words.some((word) => word.startsWith('musl'))) return 'musl'
  return words.some((word) => word.startsWith('gnu')) ? 'glibc' : undefined
}
