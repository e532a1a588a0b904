package fetch

import (
	"net/netip"
	"net/url"
	"strings"
	"testing"
)

// TestCheckRequestFollowsRules checks the rules in docs/guard.md about the hosts of requests.
func TestCheckRequestFollowsRules(t *testing.T) {
	for _, tt := range []struct{ from, to, named, wantErr string }{
		{"https://example.com/a", "https://example.com/b", "", ""},
		{"https://example.com/", "https://EXAMPLE.com.:443/b", "", ""},
		{"https://bücher.example/", "https://xn--bcher-kva.example/", "", ""},
		{"http://example.com/", "https://example.com/", "", ""},
		{"http://example.com:80/", "https://example.com:443/", "", ""},
		{"http://localhost:8080/", "http://localhost:8080/x", "", ""},
		{"https://example.com/", "http://example.com/", "", "is http, and the page"},
		{"https://example.com/", "http://example.com/", "http://example.com/", "is http, and the page"},
		{"https://example.com/", "https://example.com:8443/", "", "another port"},
		{"http://localhost:8080/", "http://localhost:6379/", "", "another port"},
		{"http://example.com/", "https://example.com:80/", "", "another port"},
		{"https://example.com/", "https://www.example.com/", "", "another host"},
		{"https://example.com/", "https://www.example.com/", "https://www.example.com/docs/", ""},
		{"https://www.example.com/", "https://example.com/", "https://example.com/", ""},
		{"https://example.com/", "https://www.example.com:8443/", "https://www.example.com/", "another host"},
		{"https://example.com/", "https://example.org/", "https://example.org/", "another host"},
		{"https://example.com/", "https://badexample.com/", "https://badexample.com/", "another host"},
		{"https://example.com/", "https://169.254.169.254/", "https://www.example.com/", "another host"},
		{"https://example.com/", "file:///etc/passwd", "", "neither http nor https"},
		{"https://example.com/", "gopher://example.com/", "", "neither http nor https"},
		{"", "https://example.com/a", "https://example.com/", ""},
		{"", "https://example.com/a", "", "does not name"},
		{"", "http://169.254.169.254/", "https://example.com/", "does not name"},
		{"", "file:///etc/passwd", "https://example.com/", "neither http nor https"},
	} {
		to, _ := url.Parse(tt.to)
		var from *url.URL
		if tt.from != "" {
			from, _ = url.Parse(tt.from)
		}
		err := CheckRequest(from, to, []string{tt.named})
		if tt.wantErr == "" && err != nil || tt.wantErr != "" && (err == nil || !strings.Contains(err.Error(), tt.wantErr)) {
			t.Errorf("from %q to %q with %q: got error %v, want %q", tt.from, tt.to, tt.named, err, tt.wantErr)
		}
	}
}

// TestScopeOf checks the scope of addresses in all notations, including special networks.
func TestScopeOf(t *testing.T) {
	for want, all := range map[addressScope]string{
		scopeMachine: "127.0.0.1 127.9.9.9 0.0.0.0 0.1.2.3 ::1 :: ::ffff:127.0.0.1 64:ff9b::7f00:1 2002:7f00:1:: ::127.0.0.1",
		scopeLink:    "169.254.169.254 fe80::1%eth0 ::ffff:169.254.169.254 224.0.0.1 ff02::1 64:ff9b::a9fe:a9fe",
		scopePrivate: "10.0.0.1 172.16.5.4 192.168.1.1 100.64.0.1 198.18.0.1 fd00:ec2::254 fec0::1 240.0.0.1 255.255.255.255 192.0.0.8 ::ffff:10.1.1.1 64:ff9b:1::101:101 64:ff9b:1:ffff::1",
		scopePublic:  "1.1.1.1 93.184.216.34 172.32.0.1 100.128.0.1 2606:4700::1111 64:ff9b::101:101 2002:101:101:: 64:ff9b:2::1",
	} {
		for a := range strings.FieldsSeq(all) {
			if got := scopeOf(netip.MustParseAddr(a)); got != want {
				t.Errorf("scopeOf(%s) = %d, want %d", a, got, want)
			}
		}
	}
}
