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

// newResolver returns a resolver that resolves every name to the address that answer returns. It
// uses a DNS server on this machine, and does not cache.
func newResolver(t *testing.T, answer func() [4]byte) *net.Resolver {
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

// TestOpenRejectsRebinding changes the address of a host name after the first lookup. A request
// for a child or a redirect must not connect to an address with a smaller scope.
func TestOpenRejectsRebinding(t *testing.T) {
	var insideRequests atomic.Int32
	serve := func(address string, h http.HandlerFunc) *httptest.Server {
		l, err := net.Listen("tcp4", address)
		if err != nil {
			t.Skip(err) // some systems have only 127.0.0.1
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
	serve("127.0.0.2:"+port, func(http.ResponseWriter, *http.Request) { insideRequests.Add(1) })

	for _, tt := range []struct {
		name         string
		first, later addressScope
		wantRefused  bool
	}{
		{"from public to this machine", scopePublic, scopeMachine, true},
		{"from public to a private network", scopePublic, scopePrivate, true},
		{"from a private network to this machine", scopePrivate, scopeMachine, true},
		{"from a private network to a private network", scopePrivate, scopePrivate, false},
		{"from this machine to this machine", scopeMachine, scopeMachine, false},
		{"from this machine to public", scopeMachine, scopePublic, false},
	} {
		for _, path := range []string{"/redirect", "/child"} {
			t.Run(tt.name+path, func(t *testing.T) {
				insideRequests.Store(0)
				var lookups atomic.Int32
				dialer := net.Dialer{Resolver: newResolver(t, func() [4]byte { return [4]byte{127, 0, 0, byte(min(lookups.Add(1), 2))} })}
				transport := newTransport(dialer, func(a netip.Addr) addressScope {
					if a == netip.MustParseAddr("127.0.0.1") {
						return tt.first
					}
					return tt.later
				})
				defer transport.direct.CloseIdleConnections()
				o := Options{Client: &http.Client{Transport: transport}}
				site := fmt.Sprintf("http://site.example:%s", port)
				b, err := Referrer{}.Open(t.Context(), site+path, o)
				if err == nil && path == "/child" {
					b.Close()
					b, err = b.At.Open(t.Context(), site+"/x", o)
				}
				if err == nil {
					b.Close()
				}
				if refused := err != nil && strings.Contains(err.Error(), errSmallerScope.Error()); refused != tt.wantRefused || !refused && err != nil || insideRequests.Load() > 0 == tt.wantRefused {
					t.Errorf("got error %v, %d requests to the second address, want refused %v", err, insideRequests.Load(), tt.wantRefused)
				}
			})
		}
	}
}

// A stuckSite sends a response whose body never ends: Read and Close block until the channel done
// is closed.
type stuckSite struct{ done chan struct{} }

func (s stuckSite) RoundTrip(r *http.Request) (*http.Response, error) {
	return &http.Response{StatusCode: http.StatusOK, Body: s, Request: r}, nil
}

func (s stuckSite) Read([]byte) (int, error) {
	<-s.done
	return 0, net.ErrClosed
}

func (s stuckSite) Close() error {
	<-s.done
	return nil
}

// TestRequestOnceEndsStuckAnswers checks that reading a response ends at the time limit or after
// an interrupt, even if the body of net/http blocks.
func TestRequestOnceEndsStuckAnswers(t *testing.T) {
	interrupted := errors.New("interrupted")
	for name, tt := range map[string]struct {
		interrupt bool
		wantTime  time.Duration
		wantErr   string
	}{
		"timeout":   {false, 7 * time.Second, "there was no complete answer within 7s"},
		"interrupt": {true, 2 * time.Second, "interrupted"},
	} {
		t.Run(name, func(t *testing.T) {
			synctest.Test(t, func(t *testing.T) {
				site := stuckSite{make(chan struct{})}
				defer close(site.done)
				transport := new(http.Transport)
				transport.RegisterProtocol("http", site)
				ctx, interrupt := context.WithCancelCause(t.Context())
				defer interrupt(nil)
				if tt.interrupt {
					time.AfterFunc(tt.wantTime, func() { interrupt(interrupted) })
				}
				o := Options{Timeout: 7 * time.Second, Client: &http.Client{Transport: &proxyTransport{direct: transport}}}
				start := time.Now()
				r, err := Referrer{}.RequestOnce(ctx, "http://example.com/", o)
				if err == nil {
					_, err = io.ReadAll(r)
					r.Close()
				}
				if took := time.Since(start); took != tt.wantTime || err == nil || err.Error() != tt.wantErr {
					t.Errorf("got error %v after %v, want %s after %v", err, took, tt.wantErr, tt.wantTime)
				}
			})
		})
	}
}
