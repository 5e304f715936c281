/** A file of a skill with its digest and size. */
export interface SkillResource {
  readonly uri: string
  /** `sha256:` and 64 lower-case hexadecimal digits. */
  readonly digest: string
  /** Size in bytes. */
  readonly size: number
}

/** Instructions for a model that a server offers. Untrusted even if verified. */
export interface Skill {
  /** URI of its SKILL.md. */
  readonly uri: string
  readonly frontmatter: Readonly<Record<string, unknown>> & {
    readonly name: string
    readonly description: string
  }
  /** Every file, including SKILL.md. `dynamic`: the server does not commit to a list. */
  readonly resources: readonly SkillResource[] | 'dynamic'
}
