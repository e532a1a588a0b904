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

// A reach says from where a network address can be reached, the nearest first. An
// answer never leads to an address that is nearer than its own, since what listens
// there trusts that only its neighbours can ask.
type reach uint8

const (
	thisMachine reach = 1 + iota // loopback
	thisLink                     // link-local, where clouds keep their credentials
	private
	public
)

// special are the networks of the registers of special-purpose addresses of IANA
// that are not reached from everywhere, beyond those that netip knows.
var special = []netip.Prefix{
	netip.MustParsePrefix("100.64.0.0/10"), // shared by the customers of a carrier
	netip.MustParsePrefix("192.0.0.0/24"),
	netip.MustParsePrefix("198.18.0.0/15"), // benchmarks
	netip.MustParsePrefix("240.0.0.0/4"),
	netip.MustParsePrefix("fec0::/10"),      // site-local
	netip.MustParsePrefix("64:ff9b:1::/48"), // NAT64 of a local network, RFC 8215
}

// carriers maps the IPv6 networks that embed an IPv4 address to the offset of the address, in
// bytes.
var carriers = map[netip.Prefix]int{
	netip.MustParsePrefix("64:ff9b::/96"): 12, // NAT64
	netip.MustParsePrefix("2002::/16"):    2,  // 6to4
	netip.MustParsePrefix("::/96"):        12, // IPv4-compatible; holds ::1, too
}

// reachOf returns the reach of an address.
func reachOf(a netip.Addr) reach {
	a = a.Unmap().WithZone("")
	switch {
	case a.IsLoopback() || a.IsUnspecified() || a.Is4() && a.As4()[0] == 0:
		return thisMachine
	case a.IsLinkLocalUnicast() || a.IsMulticast():
		return thisLink
	case a.IsPrivate() || slices.ContainsFunc(special, func(p netip.Prefix) bool { return p.Contains(a) }):
		return private
	}
	for p, at := range carriers {
		if p.Contains(a) {
			b := a.As16()
			return reachOf(netip.AddrFrom4([4]byte(b[at : at+4])))
		}
	}
	return public
}

// dialing is how the default client finds an address and judges it; tests have
// their own.
type dialing struct {
	resolver any // a *net.Resolver or nil; named as such, the program would hold all its methods
	reachOf  func(netip.Addr) reach
}

// A trip is one request with its redirects, on its way from address to address.
type trip struct {
	dialing
	cancel context.CancelCauseFunc // ends the request

	mu    sync.Mutex
	least reach // of where it may go; 0 is anywhere
}

// A tripKey is the key of the trip in the context of its request.
type tripKey struct{}

func (t *trip) reached() reach {
	t.mu.Lock()
	defer t.mu.Unlock()
	return t.least
}

var errNearer = errors.New("its name leads to an address of a private network or of this machine, and an answer from outside leads there")

// check returns an error unless the trip may go to an address.
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

// dial connects to a site. Each address is judged after its name was looked up, so
// that it does not help to give a name another address in between.
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

// A paths is the way out that goes directly, or by the proxy of the environment.
type paths struct{ direct, proxied *http.Transport }

// ways is that of the default client.
var ways = func() *paths {
	proxied := http.DefaultTransport.(*http.Transport).Clone()
	proxied.MaxResponseHeaderBytes = 256 << 10
	proxied.MaxIdleConnsPerHost = 16                                 // else those who ask four at a time connect again and again
	proxied.HTTP2 = &http.HTTP2Config{WriteByteTimeout: slowest / 3} // else a site that reads nothing keeps its connection
	direct := proxied.Clone()
	direct.Proxy, direct.DialContext = nil, dial
	return &paths{direct, proxied}
}()

// RoundTrip implements http.RoundTripper. A proxy looks up names itself, and its own
// address, which may well be private, says nothing of the site.
func (w *paths) RoundTrip(r *http.Request) (*http.Response, error) {
	way := w.direct
	if proxy, err := http.ProxyFromEnvironment(r); proxy != nil || err != nil {
		way = w.proxied
	} else if t, ok := r.Context().Value(tripKey{}).(*trip); ok {
		r = r.WithContext(httptrace.WithClientTrace(r.Context(), &httptrace.ClientTrace{GotConn: t.arrive}))
	}
	response, err := way.RoundTrip(r)
	if err == nil { // net/http waits without a bound where a site sends HTTP/2 frames that want an answer, and does not read it
		response.Body = files.Until(r.Context(), response.Body)
	}
	return response, err
}

// arrive notes where a connection leads, which may be one that another trip made.
func (t *trip) arrive(c httptrace.GotConnInfo) {
	r, err := t.check(c.Conn.RemoteAddr())
	if err != nil {
		t.cancel(err)
		return
	}
	t.mu.Lock()
	t.least = max(t.least, r)
	t.mu.Unlock()
}
