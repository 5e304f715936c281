// A module of its own, loaded on first use: Node must compile the import of an ES module itself, without a code cache.
export { confirm, isCancel } from '@clack/prompts'
