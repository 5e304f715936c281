import type { SsrfReason } from '@toolbridge/client/auth'

/** Addresses that no server may send anybody to, by the reason that they are refused for, separated by blanks. */
export const hostileUrls: Readonly<Record<Exclude<SsrfReason, 'invalid_url'>, string>> = {
  loopback: `
    https://127.0.0.1/ https://127.0.0.1:8443/token https://127.0.0.2/ https://127.1.2.3/ https://127.255.255.255/
    https://127.1/ https://127.0.1/ https://127.65535/ https://127.16777215/ https://127.0.65535/
    https://2130706433/ https://2147483647/ https://017700000001/ https://0x7f000001/ https://0X7F000001/
    https://0x7f.0x0.0x0.0x1/ https://0x7f.1/ https://0x7f.0.0.1/ https://0177.0.0.1/ https://0177.0x0.0.01/
    https://0177.1/ https://00000177.0.0.1/ https://127.0x0.0.1/ https://127.0.0.0x1/ https://127.00.00.01/
    https://0x0000007f.0x000001/ https://127.0.0.1./ https://127.1./ https://0x7f.1./ https://2130706433./
    https://１２７.０.０.１/ https://127。0。0。1/ https://127．0．0．1/ https://127｡0｡0｡1/ https://①②⑦.⓪.⓪.①/
    https://𝟭𝟮𝟳.𝟬.𝟬.𝟭/ https://１２７。１/ https://２１３０７０６４３３/ https://%31%32%37.0.0.1/ https://127%2e0%2e0%2e1/
    https://%EF%BC%91%EF%BC%92%EF%BC%97.0.0.1/ https://0x7%66.1/ https:127.0.0.1/ https:/127.0.0.1/ https:///127.0.0.1/
    HTTPS://127.0.0.1/ https://127.0.0.1?x=auth.example.com https://127.0.0.1#auth.example.com http://127.0.0.1/
    https://[::1]/ https://[0:0:0:0:0:0:0:1]/ https://[0000:0000:0000:0000:0000:0000:0000:0001]/ https://[::0001]/
    https://[0::1]/ https://[::0:1]/ https://[::1]:8443/ https://[::0.0.0.1]/
    https://[::ffff:127.0.0.1]/ https://[::FFFF:127.0.0.1]/ https://[::ffff:7f00:1]/ https://[::ffff:7fff:ffff]/
    https://[0:0:0:0:0:ffff:127.0.0.1]/ https://[0:0:0:0:0:ffff:7f00:0001]/ https://[::ffff:0:127.0.0.1]/
    https://[::ffff:0:7f00:1]/ https://[::127.0.0.1]/ https://[::7f00:1]/ https://[0::7f00:0001]/
    https://[2002:7f00:1::]/ https://[2002:7f00:0001::1]/ https://[2002:7fff:ffff:1234::5678]/
    https://[64:ff9b::127.0.0.1]/ https://[64:ff9b::7f00:1]/ https://[0064:FF9B::7F00:0001]/
    https://[64:ff9b:1::7f00:1]/ https://[64:ff9b:1:ffff:ffff:ffff:7f00:1]/
    https://[2001:0:4136:e378:8000:63bf:80ff:fffe]/ https://[2001::80ff:fffe]/
    https://[2606:4700::5efe:127.0.0.1]/ https://[2606:4700::200:5efe:7f00:1]/
    https://localhost/ https://localhost./ https://LOCALHOST/ https://LocalHost:3000/ https://ⓛⓞⓒⓐⓛⓗⓞⓢⓣ/
    https://ｌｏｃａｌｈｏｓｔ/ https://loca%6chost/ https://%6c%6f%63%61%6c%68%6f%73%74/ https://l%C2%ADocalhost/
    https://a.localhost/ https://auth.example.com.localhost/ https://a.b.localhost./ https://x.LOCALHOST/
    https://localhost.localdomain/ https://a.localdomain/ https://localhost6/ https://localhost6.localdomain6/
    https://ip6-localhost/ https://ip6-loopback/ https://loopback/`,
  private: `
    https://10.0.0.0/ https://10.0.0.1/ https://10.255.255.255/ https://10.1/ https://10.65536/ https://167772161/
    https://0xa.0.0.1/ https://0x0a000001/ https://012.0.0.1/ https://012.1/ https://１０.０.０.１/ https://10。0。0。1/
    https://172.16.0.1/ https://172.31.255.255/ https://172.20.10.1/ https://172.1048577/ https://2886729729/
    https://0xac.16.0.1/ https://0254.020.0.1/ https://172.16.1/ https://192.168.0.0/ https://192.168.0.1/
    https://192.168.255.255/ https://192.168.1/ https://192.11010049/ https://3232235521/ https://0xc0a80001/
    https://0300.0250.0.1/ https://192.168.0.1./ https://192.168.%30.1/ https://１９２.１６８.１.１/
    http://192.168.1.1/admin
    https://[::ffff:10.0.0.1]/ https://[::ffff:a00:1]/ https://[::ffff:192.168.0.1]/ https://[::ffff:172.16.0.1]/
    https://[::10.0.0.1]/ https://[::c0a8:1]/ https://[2002:a00:1::]/ https://[2002:c0a8:101::]/ https://[2002:ac10:1::]/
    https://[64:ff9b::10.0.0.1]/ https://[64:ff9b::c0a8:101]/ https://[64:ff9b:1::a00:1]/
    https://[2001:0:1234::f5ff:fffe]/ https://[2600::5efe:192.168.1.1]/ https://[::ffff:0:10.0.0.1]/
    https://[fc00::]/ https://[fc00::1]/ https://[fd00::1]/ https://[FD12:3456:789A::1]/ https://[fdff:ffff::]/
    https://[fdff:ffff:ffff:ffff:ffff:ffff:ffff:ffff]/ https://[fec0::1]/ https://[feff::1]/ https://[fed0:1::1]/`,
  shared: `
    https://100.64.0.0/ https://100.64.0.1/ https://100.127.255.255/ https://100.100.1.1/ https://100.4194305/
    https://0x64.0x40.0.1/ https://0144.0100.0.1/ https://1681915905/ https://[::ffff:100.64.0.1]/
    https://[2002:6440:1::]/ https://[64:ff9b::100.64.0.1]/`,
  link_local: `
    https://169.254.0.0/ https://169.254.1.1/ https://169.254.255.255/ https://169.254.169.253/ https://169.254.170.2/
    https://0xa9.0xfe.1.1/ https://0251.0376.1.1/ https://169.16646401/ https://[::ffff:169.254.1.1]/
    https://[fe80::]/ https://[fe80::1]/ https://[FE80::1]/ https://[fe90::1]/ https://[fea0::1]/ https://[feb0::1]/
    https://[febf:ffff::1]/ https://[fe80:1234:5678::9]/ https://[2002:a9fe:101::]/ https://[64:ff9b::169.254.1.1]/`,
  metadata_service: `
    https://169.254.169.254/ http://169.254.169.254/latest/meta-data/ https://169.254.169.254./ https://2852039166/
    https://0xa9fea9fe/ https://0xa9.0xfe.0xa9.0xfe/ https://0251.0376.0251.0376/ https://0251.254.169.254/
    https://169.254.43518/ https://169.16689662/ https://１６９.２５４.１６９.２５４/ https://169。254。169。254/
    https://[::ffff:169.254.169.254]/ https://[::ffff:a9fe:a9fe]/ https://[::a9fe:a9fe]/ https://[2002:a9fe:a9fe::]/
    https://[64:ff9b::a9fe:a9fe]/ https://[64:ff9b:1::a9fe:a9fe]/ https://[::ffff:0:169.254.169.254]/
    https://[2001::5601:5601]/ https://168.63.129.16/ https://0xa83f8110/ https://[::ffff:168.63.129.16]/
    https://100.100.100.200/ https://[fd00:ec2::254]/ https://[FD00:0EC2:0:0:0:0:0:0254]/
    https://metadata.google.internal/computeMetadata/v1/ https://METADATA.google.internal./ https://metadata/
    https://metadata.goog/ https://instance-data/ https://instance-data.ec2.internal/`,
  unspecified: `
    https://0.0.0.0/ https://0/ https://0./ https://00/ https://0x0/ https://0x/ https://0.0/ https://0.1.2.3/
    https://0.255.255.255/ https://000.000.000.000/ https://0x00.0x00/ https://０.０.０.０/ https://0。0/ https://16777215/
    https://[::]/ https://[0:0:0:0:0:0:0:0]/ https://[0::]/ https://[::0.0.0.0]/ https://[::ffff:0.0.0.0]/
    https://[::ffff:0:0]/ https://[2002::]/ https://[2002:0:1::]/ https://[64:ff9b::]/ https://[64:ff9b::0.0.0.1]/`,
  multicast: `
    https://224.0.0.0/ https://224.0.0.1/ https://224.0.0.251/ https://232.1.1.1/ https://233.252.0.1/
    https://239.255.255.250/ https://239.255.255.255/ https://0xe0.0.0.1/ https://3758096385/ https://0340.0.0.1/
    https://[::ffff:224.0.0.1]/ https://[ff00::]/ https://[ff02::1]/ https://[ff05::2]/ https://[FF0E::1]/
    https://[ffff:ffff:ffff:ffff:ffff:ffff:ffff:ffff]/ https://[2002:e000:1::]/`,
  broadcast: `
    https://255.255.255.255/ https://4294967295/ https://0xffffffff/ https://0377.0377.0377.0377/ https://255.16777215/
    https://037777777777/ https://[::ffff:255.255.255.255]/ https://[64:ff9b::ffff:ffff]/`,
  documentation: `
    https://192.0.2.0/ https://192.0.2.1/ https://192.0.2.255/ https://198.51.100.1/ https://198.51.100.255/
    https://203.0.113.0/ https://203.0.113.10/ https://0xcb.0.0x71.1/ https://3405803777/ https://[::ffff:192.0.2.1]/
    https://[2001:db8::]/ https://[2001:db8::1]/ https://[2001:0DB8:85a3::8a2e:370:7334]/ https://[2001:db8:ffff::1]/
    https://[3fff::1]/ https://[3fff:fff:ffff::1]/`,
  benchmarking: `
    https://198.18.0.0/ https://198.18.0.1/ https://198.19.255.255/ https://0xc6.0x12.0.1/ https://3323068417/
    https://[::ffff:198.18.0.1]/ https://[2001:2::]/ https://[2001:2:0:1::1]/`,
  discard: 'https://[100::]/ https://[100::1]/ https://[0100:0:0:0:ffff:ffff:ffff:ffff]/',
  reserved: `
    https://192.0.0.0/ https://192.0.0.1/ https://192.0.0.9/ https://192.0.0.170/ https://192.0.0.192/
    https://192.0.0.255/ https://192.88.99.1/ https://240.0.0.0/ https://240.0.0.1/ https://250.1.2.3/
    https://255.255.255.254/ https://0xf0.0.0.1/ https://4026531841/ https://[::ffff:240.0.0.1]/
    https://[2001:1::1]/ https://[2001:10::1]/ https://[2001:20::1]/ https://[2001:1ff:ffff::1]/
    https://[100:0:0:1::]/ https://[200::1]/ https://[400::1]/ https://[1000::1]/ https://[1fff:ffff::1]/
    https://[4000::1]/ https://[5f00::1]/ https://[8000::1]/ https://[c000::1]/ https://[e000::1]/ https://[fbff::1]/
    https://[fe00::1]/ https://[fe7f::1]/ https://[64:ff9b:2::1]/ https://[64:ff9c::1]/ https://[0:0:0:1::1]/`,
  embedded_ipv4: `
    https://[::ffff:8.8.8.8]/ https://[::ffff:808:808]/ https://[::8.8.8.8]/ https://[::808:808]/
    https://[::ffff:0:8.8.8.8]/ https://[2002:808:808::]/ https://[2002:0808:0808::1]/ https://[64:ff9b:1::808:808]/
    https://[2001:0:808:808:0:0:f7f7:f7f7]/ https://[0:0:0:0:0:ffff:1.1.1.1]/`,
  local_name: `
    https://db/ https://intranet/ https://router./ https://a/ https://com/ https://kubernetes/ https://auth/token
    https://printer.local/ https://PRINTER.LOCAL./ https://kubernetes.default.svc/ https://api.default.svc.cluster.local/
    https://host.docker.internal/ https://gateway.docker.internal/ https://vault.internal/ https://api.INTERNAL/
    https://wiki.intranet/ https://files.corp/ https://nas.home/ https://nas.home.arpa/ https://router.lan/
    https://x.private/ https://smtp.mail/ https://ｉｎｔｒａｎｅｔ/ https://vault.ｉｎｔｅｒｎａｌ/ https://printer。local/`,
  invalid_host: `
    https://example.com../ https://a..example.com/ https://.example.com/ https://-a.example.com/ https://a-.example.com/
    https://exa$mple.com/ https://exa(mple).com/ https://a!b.example.com/ https://a'b.example.com/ https://a*b.example.com/
    https://a,b.example.com/ https://a;b.example.com/ https://a=b.example.com/ https://a+b.example.com/
    https://a&b.example.com/ https://a~b.example.com/ https://*.example.com/ https://127.0.0.0x1g/ https://a.1b/
    https://aaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaa.example.com/`,
  userinfo: `
    https://user@auth.example.com/ https://user:password@auth.example.com/ https://:password@auth.example.com/
    https://auth.example.com@evil.example.net/ https://auth.example.com:443@evil.example.net/
    https://auth.example.com%2f@evil.example.net/ https://auth.example.com%23@evil.example.net/
    https://a@b@evil.example.net/ https://user@127.0.0.1/ https://127.0.0.1@auth.example.com/`,
  scheme: `
    ftp://auth.example.com/ file:///etc/passwd file://auth.example.com/etc/passwd gopher://127.0.0.1:6379/_INFO
    dict://127.0.0.1:11211/stats ldap://10.0.0.1/ ws://auth.example.com/ wss://auth.example.com/
    javascript:alert(1) data:text/html,x blob:https://auth.example.com/1 about:blank mailto:a@example.com
    unix:/var/run/docker.sock jar:https://auth.example.com!/ view-source:https://auth.example.com/ tftp://10.0.0.1/
    chrome://settings/ httpss://auth.example.com/ localhost:3000`,
  insecure_http: `
    http://auth.example.com/ http://auth.example.com:443/ HTTP://auth.example.com/ http:auth.example.com/
    http://8.8.8.8/ http://[2606:4700:4700::1111]/ http://evil.example.net/`,
  host_not_allowed: `
    https://evil.example.net/ https://example.com/ https://auth.example.com.evil.net/ https://evil-auth.example.com/
    https://a.auth.example.com/ https://authexample.com/ https://auth.example.co/ https://auth.example.comm/
    https://auth-example.com/ https://аuth.example.com/ https://xn--uth-5cd.example.com/ https://auth.exаmple.com/
    https://auth.example.com.nip.io/ https://127.0.0.1.nip.io/ https://localtest.me/ https://8.8.8.8/
    https://[2606:4700:4700::1111]/ https://[64:ff9b::808:808]/ https://localhost.example.net/ https://internal.example.net/
    https://evil.example.net?auth.example.com https://evil.example.net#@auth.example.com
    https://evil.example.net/@auth.example.com https://evil.example.net:443/ https://evil.example.net./`,
}

/** Texts that are no address, or that two programs would read as two addresses. */
export const unreadableUrls: readonly string[] = [
  '',
  ' ',
  'auth.example.com',
  '//auth.example.com/',
  '/token',
  'https://',
  'https:///',
  'https://?',
  'https://@/',
  'https://:443/',
  'https://auth.example.com:99999/',
  'https://auth.example.com:abc/',
  ' https://auth.example.com/',
  'https://auth.example.com/ ',
  'https://auth.example.com/a b',
  'https://auth.example.com\\@127.0.0.1/',
  'https:\\\\127.0.0.1\\',
  'https://auth.example.com/\\..\\x',
  'https://auth.example.com\t.evil.net/',
  'https://127.0.\n0.1/',
  'ht\rtps://127.0.0.1/',
  '\u0000https://auth.example.com/',
  'https://auth.example.com\u0000.evil.net/',
  'https://auth.example.com\u007f/',
  'https://auth.example.com%00.evil.net/',
  'https://auth.example.com%0d%0ahost:x/',
  'https://exa mple.com/',
  'https://exa<mple>.com/',
  'https://exa^mple.com/',
  'https://exa|mple.com/',
  'https://exa%mple.com/',
  'https://auth.example.com:80:443/',
  'https://[::1/',
  'https://::1/',
  'https://[::1]]/',
  'https://[::1%25lo]/',
  'https://[fe80::1%25eth0]/',
  'https://[fe80::1%eth0]/',
  'https://[1::2::3]/',
  'https://[12345::1]/',
  'https://[::ffff:127.0.0.256]/',
  'https://[::ffff:0x7f.0.0.1]/',
  'https://[::ffff:127.1]/',
  'https://[v1.fe80::a]/',
  'https://[127.0.0.1]/',
  'https://[localhost]/',
  'https://256.0.0.1/',
  'https://127.0.0.256/',
  'https://127.0.0.1.1/',
  'https://127.0.0.08/',
  'https://1.2.3.4.5/',
  'https://4294967296/',
  'https://0x100000000/',
  'https://99999999999999999999/',
  'https://auth.example.0/',
  'https://auth.example.0x7f/',
  'https://xn--/',
  'https://xn--a/',
]
