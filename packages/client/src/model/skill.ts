/** A file of a skill and what it must be. */
export interface SkillResource {
  readonly uri: string
  /** `sha256:` and 64 lower-case hexadecimal digits. */
  readonly digest: string
  /** Bytes. */
  readonly size: number
}

/** Instructions for a model that a server offers. Everything in it is untrusted, however well it is verified. */
export interface Skill {
  /** Where its SKILL.md is. */
  readonly uri: string
  readonly frontmatter: Readonly<Record<string, unknown>> & {
    readonly name: string
    readonly description: string
  }
  /** Every file, SKILL.md among them; `dynamic`: the server does not commit itself to any. */
  readonly resources: readonly SkillResource[] | 'dynamic'
}
