/** Runs `npm ci` in a folder outside the workspaces, unless its lock file is the one that was installed last. */
export function installOnce(folder: string, what: string): void
