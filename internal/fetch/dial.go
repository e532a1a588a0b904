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

// A reach is the network area that can connect to an address, from the nearest to the widest. An
// answer may not lead to an address with a nearer reach than the server that answered. Servers at
// near addresses assume that only neighbors can connect.
type reach uint8

const (
	thisMachine reach = 1 + iota // loopback addresses
	thisLink                     // link-local addresses, where clouds serve credentials
	private
	public
)

// specialNetworks lists networks from IANA's special-purpose address registries that are not globally
// reachable, in addition to the networks that netip knows.
var specialNetworks = []netip.Prefix{
	netip.MustParsePrefix("100.64.0.0/10"), // carrier-grade NAT
	netip.MustParsePrefix("192.0.0.0/24"),
	netip.MustParsePrefix("198.18.0.0/15"), // benchmarks
	netip.MustParsePrefix("240.0.0.0/4"),
	netip.MustParsePrefix("fec0::/10"),      // site-local
	netip.MustParsePrefix("64:ff9b:1::/48"), // local NAT64, RFC 8215
}

// embeddedIPv4 maps IPv6 networks with an embedded IPv4 address to the offset of that address in
// bytes.
var embeddedIPv4 = map[netip.Prefix]int{
	netip.MustParsePrefix("64:ff9b::/96"): 12, // NAT64
	netip.MustParsePrefix("2002::/16"):    2,  // 6to4
	netip.MustParsePrefix("::/96"):        12, // IPv4-compatible; contains ::1
}

// reachOf returns the reach of an address.
func reachOf(a netip.Addr) reach {
	a = a.Unmap().WithZone("")
	switch {
	case a.IsLoopback() || a.IsUnspecified() || a.Is4() && a.As4()[0] == 0:
		return thisMachine
	case a.IsLinkLocalUnicast() || a.IsMulticast():
		return thisLink
	case a.IsPrivate() || slices.ContainsFunc(specialNetworks, func(p netip.Prefix) bool { return p.Contains(a) }):
		return private
	}
	for p, at := range embeddedIPv4 {
		if p.Contains(a) {
			b := a.As16()
			return reachOf(netip.AddrFrom4([4]byte(b[at : at+4])))
		}
	}
	return public
}

// dialing configures the default client. Tests set other values.
type dialing struct {
	resolver any // a *net.Resolver or nil; with that type, the linker would keep all methods of the resolver
	reachOf  func(netip.Addr) reach
}

// A trip is one request with all its redirects.
type trip struct {
	dialing
	cancel context.CancelCauseFunc // ends the request

	mu       sync.Mutex
	minReach reach // nearest permitted reach; 0 permits all
}

// A tripKey is the context key of a trip.
type tripKey struct{}

func (t *trip) reached() reach {
	t.mu.Lock()
	defer t.mu.Unlock()
	return t.minReach
}

var errNearer = errors.New("its name leads to an address of a private network or of this machine, and an answer from outside leads there")

// check returns an error if the trip may not go to an address.
func (t *trip) check(a net.Addr) (reach, error) {
	to, err := netip.ParseAddrPort(a.String())
	if err != nil {
		return 0, err
	}
	of := reachOf
	if t.reachOf != nil {
		of = t.reachOf
	}
	r := of(to.Addr())
	if r < t.reached() {
		return r, errNearer
	}
	return r, nil
}

// dial connects to a site. It checks each address after the name was resolved, so that a
// changed DNS record cannot bypass the check.
func dial(ctx context.Context, network, address string) (net.Conn, error) {
	d := net.Dialer{Timeout: 30 * time.Second, KeepAlive: 30 * time.Second}
	if t, ok := ctx.Value(tripKey{}).(*trip); ok {
		d.Resolver, _ = t.resolver.(*net.Resolver)
		d.Control = func(network, address string, _ syscall.RawConn) error {
			to, err := net.ResolveTCPAddr(network, address)
			if err == nil {
				_, err = t.check(to)
			}
			return err
		}
	}
	return d.DialContext(ctx, network, address)
}

// A proxyTransport is a transport that connects directly, or by the proxy of the environment.
type proxyTransport struct{ direct, proxied *http.Transport }

// defaultTransport is the transport of the default client.
var defaultTransport = func() *proxyTransport {
	proxied := http.DefaultTransport.(*http.Transport).Clone()
	proxied.MaxResponseHeaderBytes = 256 << 10
	proxied.MaxIdleConnsPerHost = 16                                    // enough for concurrent requests to reuse connections
	proxied.HTTP2 = &http.HTTP2Config{WriteByteTimeout: maxTimeout / 3} // otherwise a site that reads nothing keeps its connection
	direct := proxied.Clone()
	direct.Proxy, direct.DialContext = nil, dial
	return &proxyTransport{direct, proxied}
}()

// RoundTrip implements http.RoundTripper. It does not check the address of a proxy: the proxy
// resolves names itself, and its own address may be private.
func (w *proxyTransport) RoundTrip(r *http.Request) (*http.Response, error) {
	way := w.direct
	if proxy, err := http.ProxyFromEnvironment(r); proxy != nil || err != nil {
		way = w.proxied
	} else if t, ok := r.Context().Value(tripKey{}).(*trip); ok {
		r = r.WithContext(httptrace.WithClientTrace(r.Context(), &httptrace.ClientTrace{GotConn: t.checkConn}))
	}
	response, err := way.RoundTrip(r)
	if err == nil { // net/http waits without a limit if a site sends HTTP/2 frames and does not read the replies
		response.Body = files.Until(r.Context(), response.Body)
	}
	return response, err
}

// checkConn checks the address of a connection, which an earlier trip may have opened.
func (t *trip) checkConn(c httptrace.GotConnInfo) {
	r, err := t.check(c.Conn.RemoteAddr())
	if err != nil {
		t.cancel(err)
		return
	}
	t.mu.Lock()
	t.minReach = max(t.minReach, r)
	t.mu.Unlock()
}
