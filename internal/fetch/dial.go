package fetch

import (
	"context"
	"errors"
	"net"
	"net/http"
	"net/http/httptrace"
	"net/netip"
	"slices"
	"sync"
	"syscall"
	"time"

	"github.com/sitewalk/sitewalk/internal/files"
)

// An addressScope is the area from which a network address can be reached: this machine, the same
// network link, a private network, or everywhere. Services in a smaller area often trust all
// clients. Therefore, a server must not lead sitewalk to an address with a smaller scope than its
// own.
type addressScope uint8

const (
	scopeMachine addressScope = 1 + iota // loopback addresses
	scopeLink                            // link-local addresses, which cloud providers use to serve credentials
	scopePrivate
	scopePublic
)

// specialNetworks lists networks that are not globally reachable, in addition to those that package
// netip knows. The networks come from IANA's registries of special-purpose addresses.
var specialNetworks = []netip.Prefix{
	netip.MustParsePrefix("100.64.0.0/10"), // carrier-grade NAT
	netip.MustParsePrefix("192.0.0.0/24"),
	netip.MustParsePrefix("198.18.0.0/15"), // benchmarks
	netip.MustParsePrefix("240.0.0.0/4"),
	netip.MustParsePrefix("fec0::/10"),      // site-local
	netip.MustParsePrefix("64:ff9b:1::/48"), // local NAT64, RFC 8215
}

// embeddedIPv4 maps IPv6 networks whose addresses contain an IPv4 address to the offset of the IPv4
// address in bytes.
var embeddedIPv4 = map[netip.Prefix]int{
	netip.MustParsePrefix("64:ff9b::/96"): 12, // NAT64
	netip.MustParsePrefix("2002::/16"):    2,  // 6to4
	netip.MustParsePrefix("::/96"):        12, // IPv4-compatible; contains ::1
}

// scopeOf returns the scope of the address a. If a is an IPv6 address that contains an IPv4
// address, it returns the scope of the IPv4 address.
func scopeOf(a netip.Addr) addressScope {
	a = a.Unmap().WithZone("")
	switch {
	case a.IsLoopback() || a.IsUnspecified() || a.Is4() && a.As4()[0] == 0:
		return scopeMachine
	case a.IsLinkLocalUnicast() || a.IsMulticast():
		return scopeLink
	case a.IsPrivate() || slices.ContainsFunc(specialNetworks, func(p netip.Prefix) bool { return p.Contains(a) }):
		return scopePrivate
	}
	for p, at := range embeddedIPv4 {
		if p.Contains(a) {
			b := a.As16()
			return scopeOf(netip.AddrFrom4([4]byte(b[at : at+4])))
		}
	}
	return scopePublic
}

// A redirectChain is a request together with all its redirects.
type redirectChain struct {
	cancel context.CancelCauseFunc // cancels the request

	mu       sync.Mutex
	minScope addressScope // smallest permitted scope; 0 permits all
}

// chainKey is the key of the current *redirectChain in the context of a request.
type chainKey struct{}

func (t *redirectChain) currentMinScope() addressScope {
	t.mu.Lock()
	defer t.mu.Unlock()
	return t.minScope
}

// errSmallerScope is the error for an address whose scope is smaller than the redirect chain
// permits.
var errSmallerScope = errors.New("its name resolves to an address of a private network or of this machine, and an answer from outside redirects there")

// A proxyTransport sends requests through the proxy in environment variables such as HTTPS_PROXY.
// If no proxy is set, it connects directly.
type proxyTransport struct {
	direct, proxied *http.Transport
	scopeOf         func(netip.Addr) addressScope
}

// defaultTransport is the transport of the default client.
var defaultTransport = newTransport(net.Dialer{Timeout: 30 * time.Second, KeepAlive: 30 * time.Second}, scopeOf)

// newTransport returns a transport that connects to sites with dialer. If the context of a request
// contains a redirectChain, the transport checks the network address with scopeOf. It checks the
// address after dialer has resolved the host name, so that a changed DNS record cannot bypass the
// check.
func newTransport(dialer net.Dialer, scopeOf func(netip.Addr) addressScope) *proxyTransport {
	proxied := http.DefaultTransport.(*http.Transport).Clone()
	proxied.MaxResponseHeaderBytes = 256 << 10
	proxied.MaxIdleConnsPerHost = 16                                    // so that concurrent requests can reuse connections
	proxied.HTTP2 = &http.HTTP2Config{WriteByteTimeout: maxTimeout / 3} // otherwise a site that stops reading would block its connection forever
	p := &proxyTransport{proxied.Clone(), proxied, scopeOf}
	p.direct.Proxy = nil
	p.direct.DialContext = func(ctx context.Context, network, address string) (net.Conn, error) {
		d := dialer
		if t, ok := ctx.Value(chainKey{}).(*redirectChain); ok {
			d.Control = func(_, address string, _ syscall.RawConn) error {
				_, err := p.checkAddr(t, address)
				return err
			}
		}
		return d.DialContext(ctx, network, address)
	}
	return p
}

// checkAddr returns the scope of address, an IP address with a port. It returns an error if address
// is malformed, or if its scope is smaller than the redirect chain t permits.
func (p *proxyTransport) checkAddr(t *redirectChain, address string) (addressScope, error) {
	to, err := netip.ParseAddrPort(address)
	if err != nil {
		return 0, err
	}
	scope := p.scopeOf(to.Addr())
	if scope < t.currentMinScope() {
		return scope, errSmallerScope
	}
	return scope, nil
}

// RoundTrip sends a request. It checks the network address of the site only if it connects
// directly. A proxy resolves host names itself, and its own address may be private.
func (p *proxyTransport) RoundTrip(r *http.Request) (*http.Response, error) {
	transport := p.direct
	if proxy, err := http.ProxyFromEnvironment(r); proxy != nil || err != nil {
		transport = p.proxied
	} else if t, ok := r.Context().Value(chainKey{}).(*redirectChain); ok {
		r = r.WithContext(httptrace.WithClientTrace(r.Context(), &httptrace.ClientTrace{GotConn: func(c httptrace.GotConnInfo) { p.checkConn(t, c.Conn) }}))
	}
	response, err := transport.RoundTrip(r)
	if err == nil { // otherwise net/http waits forever if a site sends HTTP/2 frames and does not read the replies
		response.Body = files.NewContextReader(r.Context(), response.Body)
	}
	return response, err
}

// checkConn checks the address of a connection before a request of the redirect chain t uses the
// connection. If the address is not permitted, checkConn cancels the request. Otherwise, it raises
// t.minScope to the scope of the address, so that later redirects cannot lead to a smaller scope.
// The check in DialContext is not enough: an earlier request may have opened the connection.
func (p *proxyTransport) checkConn(t *redirectChain, c net.Conn) {
	scope, err := p.checkAddr(t, c.RemoteAddr().String())
	if err != nil {
		t.cancel(err)
		return
	}
	t.mu.Lock()
	t.minScope = max(t.minScope, scope)
	t.mu.Unlock()
}
