/**
 * Who may call what. A pattern is `mcp:<public name>` or `mcp://<server>/<raw tool>`, where `*` stands for any run of
 * characters. Deny wins over ask, ask over allow; what no pattern matches is asked for in mode `ask` and allowed in
 * mode `allow`. Mode `yolo` asks nobody: everything but what is denied is allowed.
 */
export interface PermissionRules {
  readonly mode: 'ask' | 'allow' | 'yolo'
  readonly allow?: readonly string[]
  readonly ask?: readonly string[]
  readonly deny?: readonly string[]
}
