/** Addresses of authorization servers as they are in use, which the guard lets pass. */
export const legitimateUrls: readonly string[] = `
  https://auth.example.com https://auth.example.com/ https://auth.example.com:443/ https://auth.example.com:8443/token
  https://auth.example.com./token https://AUTH.example.com/ https://auth.example.com/.well-known/openid-configuration
  https://auth.example.com/.well-known/oauth-authorization-server/tenant https://auth.example.com/a/b/c;x=1
  https://auth.example.com/token?tenant=10.0.0.1 https://auth.example.com/127.0.0.1 https://auth.example.com/#x
  https://auth.example.com/%20 https://auth.example.com/@localhost https://auth.example.com/?u=http://169.254.169.254/
  https://login.microsoftonline.com/common/oauth2/v2.0/token https://accounts.google.com/o/oauth2/v2/auth
  https://oauth2.googleapis.com/token https://github.com/login/oauth/access_token https://gitlab.com/oauth/token
  https://slack.com/api/oauth.v2.access https://api.notion.com/v1/oauth/token https://mcp.linear.app/register
  https://dev-12345.okta.com/oauth2/default https://tenant.eu.auth0.com/oauth/token https://id.atlassian.com/oauth
  https://cognito-idp.eu-central-1.amazonaws.com/eu-central-1_AbC https://sso.keycloak.example.org/realms/main
  https://mcp.stripe.com https://mcp.sentry.dev/oauth/token https://api.githubcopilot.com/mcp/ https://auth.openai.com/
  https://münchen.example.com/ https://xn--mnchen-3ya.example.com/ https://例え.example.com/ https://bücher.example/
  https://auth.例え.jp/ https://straße.example.com/ https://a_b.example.com/ https://1password.example.com/
  https://123.example.com/ https://127-0-0-1.example.com/ https://0x7f.example.com/ https://10.example.com/
  https://localhost.example.com/ https://local.example.com/ https://internal.example.com/ https://my-localhost.dev/
  https://a.b.c.d.e.f.g.example.com/ https://x.co/ https://t.me/ https://1e100.net/
  https://as.example/ https://as.test/ https://as.invalid/ https://metadata.example.com/ https://corp.example.com/
  https://home.example.com/ https://arpa.example.com/ https://svc.example.com/ https://lan.example.com/
  https://1.1.1.1/ https://8.8.8.8/ https://9.255.255.255/ https://11.0.0.0/ https://100.63.255.255/ https://100.128.0.0/
  https://126.255.255.255/ https://128.0.0.0/ https://169.253.255.255/ https://169.255.0.0/ https://172.15.255.255/
  https://172.32.0.0/ https://192.0.1.0/ https://192.0.3.0/ https://192.167.255.255/ https://192.169.0.0/
  https://198.17.255.255/ https://198.20.0.0/ https://198.51.99.255/ https://198.51.101.0/ https://203.0.112.255/
  https://203.0.114.0/ https://223.255.255.255/ https://168.63.129.15/ https://134744072/ https://0x08080808/
  https://[2606:4700:4700::1111]/ https://[2001:4860:4860::8888]/ https://[2a00:1450:4001:81b::200e]/
  https://[2001:200::1]/ https://[2001:db7:ffff::1]/ https://[2001:db9::1]/ https://[2003::1]/ https://[3ffe:ffff::1]/
  https://[2000::1]/ https://[64:ff9b::8.8.8.8]/ https://[2606:4700::5efe:8.8.8.8]/`
  .trim()
  .split(/\s+/)
