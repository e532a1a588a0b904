package fetch

import (
	"context"
	"errors"
	"fmt"
	"io"
	"net"
	"net/http"
	"net/http/httptest"
	"net/netip"
	"strings"
	"sync/atomic"
	"testing"
	"testing/synctest"
	"time"

	"golang.org/x/net/dns/dnsmessage"
)

// names returns a resolver that resolves every name to the address that answer returns. The
// resolver does not cache.
func names(t *testing.T, answer func() [4]byte) *net.Resolver {
	server, err := net.ListenPacket("udp4", "127.0.0.1:0")
	if err != nil {
		t.Skip(err)
	}
	t.Cleanup(func() { server.Close() })
	go func() {
		for buf := make([]byte, 512); ; {
			n, who, err := server.ReadFrom(buf)
			if err != nil {
				return
			}
			var m dnsmessage.Message
			if m.Unpack(buf[:n]) != nil {
				continue
			}
			m.Response, m.Additionals = true, nil
			if q := m.Questions[0]; q.Type == dnsmessage.TypeA {
				h := dnsmessage.ResourceHeader{Name: q.Name, Type: q.Type, Class: q.Class}
				m.Answers = []dnsmessage.Resource{{Header: h, Body: &dnsmessage.AResource{A: answer()}}}
			}
			out, _ := m.Pack()
			_, _ = server.WriteTo(out, who)
		}
	}()
	return &net.Resolver{PreferGo: true, Dial: func(ctx context.Context, _, _ string) (net.Conn, error) {
		return (&net.Dialer{}).DialContext(ctx, "udp4", server.LocalAddr().String())
	}}
}

// TestDialRejectsRebinding changes the address of a host name after the first answer. A request
// for a child or a redirect must not connect to an address with a smaller scope.
func TestDialRejectsRebinding(t *testing.T) {
	var inside atomic.Int32
	serve := func(address string, h http.HandlerFunc) *httptest.Server {
		l, err := net.Listen("tcp4", address)
		if err != nil {
			t.Skip(err) // not each system has all of 127/8
		}
		s := &httptest.Server{Listener: l, Config: &http.Server{Handler: h}}
		s.Start()
		t.Cleanup(s.Close)
		return s
	}
	outer := serve("127.0.0.1:0", func(w http.ResponseWriter, r *http.Request) {
		w.Header().Set("Connection", "close")
		if r.URL.Path == "/redirect" {
			http.Redirect(w, r, "/x", http.StatusFound)
		}
	})
	_, port, _ := net.SplitHostPort(outer.Listener.Addr().String())
	serve("127.0.0.2:"+port, func(http.ResponseWriter, *http.Request) { inside.Add(1) })

	for _, tt := range []struct {
		name         string
		first, later addressScope
		refused      bool
	}{
		{"from outside to this machine", scopePublic, scopeMachine, true},
		{"from outside to a private network", scopePublic, scopePrivate, true},
		{"from a private network to this machine", scopePrivate, scopeMachine, true},
		{"from a private network to its neighbour", scopePrivate, scopePrivate, false},
		{"from this machine to this machine", scopeMachine, scopeMachine, false},
		{"from this machine outwards", scopeMachine, scopePublic, false},
	} {
		for _, path := range []string{"/redirect", "/child"} {
			t.Run(tt.name+path, func(t *testing.T) {
				inside.Store(0)
				var asked atomic.Int32
				dialer := net.Dialer{Resolver: names(t, func() [4]byte { return [4]byte{127, 0, 0, byte(min(asked.Add(1), 2))} })}
				way := newTransport(dialer, func(a netip.Addr) addressScope {
					if a == netip.MustParseAddr("127.0.0.1") {
						return tt.first
					}
					return tt.later
				})
				defer way.direct.CloseIdleConnections()
				o := Options{Client: &http.Client{Transport: way}}
				site := fmt.Sprintf("http://site.example:%s", port)
				b, err := Referrer{}.Open(t.Context(), site+path, o)
				if err == nil && path == "/child" {
					b.Close()
					b, err = b.At.Open(t.Context(), site+"/x", o)
				}
				if err == nil {
					b.Close()
				}
				if refused := err != nil && strings.Contains(err.Error(), errNearer.Error()); refused != tt.refused || !refused && err != nil || inside.Load() > 0 == tt.refused {
					t.Errorf("%v; the second address was asked %d times", err, inside.Load())
				}
			})
		}
	}
}

// A stuck site sends frames and never reads, so that net/http would wait for it forever.
type stuck struct{ until chan struct{} }

func (s stuck) RoundTrip(r *http.Request) (*http.Response, error) {
	return &http.Response{StatusCode: http.StatusOK, Body: s, Request: r}, nil
}

func (s stuck) Read([]byte) (int, error) {
	<-s.until
	return 0, net.ErrClosed
}

func (s stuck) Close() error {
	<-s.until
	return nil
}

// TestOpenEndsStuckAnswers checks that an answer ends at its time limit and when it is
// interrupted, even if net/http keeps waiting.
func TestOpenEndsStuckAnswers(t *testing.T) {
	interrupted := errors.New("interrupted")
	for name, tt := range map[string]struct {
		interrupt bool
		took      time.Duration
		fails     string
	}{
		"timeout":   {false, 7 * time.Second, "there was no complete answer within 7s"},
		"interrupt": {true, 2 * time.Second, "interrupted"},
	} {
		t.Run(name, func(t *testing.T) {
			synctest.Test(t, func(t *testing.T) {
				site := stuck{make(chan struct{})}
				defer close(site.until)
				way := new(http.Transport)
				way.RegisterProtocol("http", site)
				ctx, interrupt := context.WithCancelCause(t.Context())
				defer interrupt(nil)
				if tt.interrupt {
					time.AfterFunc(tt.took, func() { interrupt(interrupted) })
				}
				o := Options{Timeout: 7 * time.Second, Client: &http.Client{Transport: &proxyTransport{direct: way}}}
				start := time.Now()
				r, err := Referrer{}.RequestOnce(ctx, "http://example.com/", o)
				if err == nil {
					_, err = io.ReadAll(r)
					r.Close()
				}
				if took := time.Since(start); took != tt.took || err == nil || err.Error() != tt.fails {
					t.Errorf("%v after %v, want %s after %v", err, took, tt.fails, tt.took)
				}
			})
		})
	}
}
