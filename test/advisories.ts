/** A mistake of other MCP software that became public. A test shows that it does not work here by `advisory` and the id at the end of its title. */
export interface Advisory {
  readonly id: string
  /** Numbers of the advisories. */
  readonly sources: readonly string[]
  /** What the others did. */
  readonly mistake: string
  /** Why it does not work here. */
  readonly here: string
}

/** Titles by the first letter of an id. */
export const groups: Readonly<Record<string, string>> = {
  A: 'Who may enter',
  C: 'Credentials in the wrong place',
  D: 'Meaning changed on the way',
  E: 'Answers of others',
  F: 'Exhaustion',
  G: 'Network',
  H: 'Machine',
}

/** Every mistake, in the order of the document. */
export const advisories: readonly Advisory[] = [
  {
    id: 'A4',
    sources: ['GHSA-g53w-w6mj-hrpp'],
    mistake:
      'A header that a gateway uses between its own parts is believed when it comes from outside: it skips the check of a token and names the server to call.',
    here: 'The gateway has no such header. It reads five, of which those of a proxy count only from an address that the operator trusts. Secrets reach programs in their environment, never in their arguments.',
  },
  {
    id: 'A5',
    sources: ['CVE-2026-101084'],
    mistake: 'Whoever knows the id of a server may use it.',
    here: 'Ids are looked up among what belongs to the caller. What others have is answered like what nobody has.',
  },
  {
    id: 'A6',
    sources: ['CVE-2026-101063'],
    mistake: 'A list of all servers is served without a sign-in.',
    here: 'One line in front of the routes asks for a token. An operation without one has its reason in the OpenAPI document.',
  },
  {
    id: 'A7',
    sources: ['CVE-2026-52869'],
    mistake: 'A session answers whoever has its id, or is created by being named.',
    here: 'A session belongs to the principal that opened it; for anyone else, and for an id that nobody has, it does not exist.',
  },
  {
    id: 'A8',
    sources: ['CVE-2026-42271', 'CVE-2026-30623', 'CVE-2026-79538', 'CVE-2026-79748', 'CVE-2026-40933'],
    mistake: 'A form to test, preview or save a server starts the program that it is given.',
    here: 'Looking at a definition starts nothing. Each way to save one passes the same check, before anything is stored or started: who may not start programs gets a refusal that says what to use instead.',
  },
  {
    id: 'C2',
    sources: ['CVE-2026-111769', 'CVE-2026-116685'],
    mistake:
      'A redirect to another origin takes own headers along, and with status 307 or 308 the body, such as a refresh token.',
    here: 'MCP requests follow redirects within their origin only, and to https of the same host. What has a secret in its body is never redirected, and another host that may be asked gets no credentials. Own requests to a gateway follow none.',
  },
  {
    id: 'C3',
    sources: ['CVE-2026-110279'],
    mistake: 'A header of a host replaces the credentials that a gateway keeps for a server.',
    here: 'A request to a server is written anew from its definition; nothing is copied from the headers of a host.',
  },
  {
    id: 'C4',
    sources: ['CVE-2026-32625'],
    mistake: 'Users of a platform write a variable into a URL, and the server fills in its own environment.',
    here: 'One function replaces variables. For definitions of users it refuses the environment, files and folders of the machine, whatever host’s spelling they came in.',
  },
  {
    id: 'C5',
    sources: ['MCPHub before 1.0.43'],
    mistake: 'A value that was put in place of a variable is read for variables again.',
    here: 'A text is split into pieces once, and pieces are joined. No value is ever the replacement of `String.replace`, where `$&` has a meaning.',
  },
  {
    id: 'D1',
    sources: ['GHSA-4gph-2hhr-5mwg', 'CVE-2026-27896'],
    mistake:
      'A key beside one that differs in case only, or the same key twice, is read by a rule in one way and by the server in another.',
    here: 'Requests with such keys are refused at every edge, before a rule sees them. The name that a rule judges is the one that is sent.',
  },
  {
    id: 'D2',
    sources: ['Specification 2026-07-28'],
    mistake:
      'Headers name another method or tool than the body, or take line breaks and credentials from arguments.',
    here: 'A header that contradicts the body is refused with the error of the specification. Names of headers come from a checked list, and values are encoded.',
  },
  {
    id: 'D3',
    sources: ['GHSA-v2x6-wwfw-r2rq', 'CVE-2026-11720'],
    mistake: 'An argument changes the path or the headers of the HTTP request that a tool call becomes.',
    here: 'Values are encoded where they are put into a URI template or a header.',
  },
  {
    id: 'E1',
    sources: ['CVE-2026-25536', 'CVE-2026-111770'],
    mistake:
      'A transport that several clients share matches answers by the id of a request, which clients count from zero.',
    here: 'Each session, and each request without one, has a server and a transport of its own.',
  },
  {
    id: 'F1',
    sources: ['GHSA-f897-62hf-6gxq', 'CVE-2026-109527', 'CVE-2026-108395'],
    mistake: 'Bodies and batches have no limit, or only after the sign-in.',
    here: 'A body is limited before it is read, one of somebody who is not signed in to 4 KiB or not read at all; so are headers and the messages of a batch.',
  },
  {
    id: 'F2',
    sources: ['CVE-2026-111768'],
    mistake: 'A body within the limit has so many values that validating it ends the process.',
    here: 'Values, members and levels are counted before a text is parsed, and the steps of a check of a schema are limited.',
  },
  {
    id: 'G1',
    sources: ['CVE-2025-64443', 'CVE-2025-66414', 'CVE-2025-66416', 'CVE-2026-34742', 'CVE-2026-63118'],
    mistake:
      'A page whose name is pointed at this machine uses a local server, because nobody looks at `Host` and `Origin`.',
    here: 'There are two listeners. Both accept only their own names. The gateway accepts pages of its own origin and of those that the operator lists; the callback of a sign-in accepts no script of any page.',
  },
  {
    id: 'G2',
    sources: ['CVE-2026-33252'],
    mistake: 'A page of another site posts JSON as plain text, which a browser sends without asking first.',
    here: 'A body that is not sent as `application/json` gets 415 on every route. There are no cookies either, so such a page has no credentials.',
  },
  {
    id: 'G3',
    sources: ['CVE-2026-77822'],
    mistake:
      'An address is checked, and another one is connected to, because the name resolves differently the second time.',
    here: 'A guarded connection goes to the addresses that were checked; there is no second look-up. New connections and redirects are checked again.',
  },
  {
    id: 'G4',
    sources: ['CVE-2026-44430', 'GO-2026-6522', 'CVE-2026-45609'],
    mistake:
      'Private addresses pass inside 6to4 or NAT64 addresses or as site-local ones, or are asked for metadata before anybody signs in.',
    here: 'The guard reads the address of IPv4 inside one of IPv6 in every form that carries one, and covers each request of a discovery.',
  },
  {
    id: 'H1',
    sources: ['CVE-2025-6514'],
    mistake: 'The address to sign in at, which a server names, is opened by a shell.',
    here: 'Only addresses of the web are opened, as one argument of a program that is no shell, on Windows as well.',
  },
  {
    id: 'H2',
    sources: ['GO-2026-5604'],
    mistake: 'Texts of a registry entry become options of the program that starts the package.',
    here: 'Before the name of a package there are only options from a short list, each with its value. The name and its exact version are checked, and so are names of variables; what follows is for the package.',
  },
  {
    id: 'H3',
    sources: ['CVE-2026-77825'],
    mistake:
      'A path is taken to be inside a folder because it begins with its name, also in a folder beside it or by a link.',
    here: 'Links are resolved before paths are compared, and a path is compared with its separator. A test looks for comparisons without one.',
  },
  {
    id: 'H4',
    sources: ['CVE-2026-53710', 'CVE-2026-40217'],
    mistake: 'Code gets out of a sandbox that forbids words of a language.',
    here: 'Code of models runs in a JavaScript engine of its own, compiled to WebAssembly, in a worker: there is no object of the host to be reached. Known ways out of other sandboxes are kept and tried.',
  },
]
