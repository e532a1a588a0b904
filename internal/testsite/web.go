//go:build e2e

package testsite

import (
	"crypto/ecdsa"
	"crypto/elliptic"
	"crypto/rand"
	"crypto/tls"
	"crypto/x509"
	"crypto/x509/pkix"
	"encoding/json"
	"encoding/pem"
	"io"
	"math/big"
	"net"
	"net/http"
	"net/http/httptest"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"sync"
	"testing"
	"time"
)

// A Web serves sites and IndexNow engines on this machine. Programs use it as their proxy. It
// answers requests for the hosts in Sites, and requests for the path /indexnow of any other host.
// All other requests fail the test. For https, it has a certificate authority of its own.
type Web struct {
	Sites map[string]http.Handler // handlers of the sites, by host
	// Status, if not nil, returns the HTTP status of the response to the n-th well-formed request
	// to an IndexNow engine, counted from 1. 0 means the usual status.
	Status func(n int) int

	t     *testing.T
	proxy *httptest.Server
	ca    string // file with the certificate of the authority

	mu       sync.Mutex
	n        int             // number of well-formed requests to IndexNow engines
	accepted []EngineRequest // see TakeRequests
}

// An EngineRequest is a request that an IndexNow engine accepted.
type EngineRequest struct {
	Engine   string   // host of the engine
	Host     string   `json:"host"`
	Key      string   `json:"key"`
	Location string   `json:"keyLocation"`
	URLs     []string `json:"urlList"`
}

// NewWeb starts a Web, which stops at the end of the test.
func NewWeb(t *testing.T) *Web {
	w := &Web{t: t, Sites: map[string]http.Handler{}, ca: filepath.Join(t.TempDir(), "ca.pem")}
	secure := httptest.NewUnstartedServer(http.HandlerFunc(w.serve))
	secure.TLS = &tls.Config{GetCertificate: w.newCertificateSource()}
	secure.StartTLS()
	t.Cleanup(secure.Close)
	w.proxy = httptest.NewServer(http.HandlerFunc(func(rw http.ResponseWriter, r *http.Request) {
		if r.Method != http.MethodConnect {
			w.serve(rw, r)
			return
		}
		tunnel(rw, secure.Listener.Addr().String())
	}))
	t.Cleanup(w.proxy.CloseClientConnections)
	return w
}

// Env returns environment variables for a program that uses the Web as its proxy and trusts its
// certificates.
func (w *Web) Env() []string {
	return append(w.ProxyEnv(), "SSL_CERT_FILE="+w.ca, "CURL_CA_BUNDLE="+w.ca, "NODE_EXTRA_CA_CERTS="+w.ca)
}

// ProxyEnv returns environment variables that make a program use w as its proxy. Unlike Env, they
// do not make the program trust the certificates of w.
func (w *Web) ProxyEnv() []string {
	return []string{"HTTP_PROXY=" + w.proxy.URL, "HTTPS_PROXY=" + w.proxy.URL, "http_proxy=" + w.proxy.URL, "https_proxy=" + w.proxy.URL, "NO_PROXY=", "no_proxy="}
}

// TakeRequests returns the requests that IndexNow engines have accepted since the previous call of
// TakeRequests.
func (w *Web) TakeRequests() []EngineRequest {
	w.mu.Lock()
	defer w.mu.Unlock()
	out := w.accepted
	w.accepted = nil
	return out
}

// RequestedURLs returns the URLs in all requests, sorted.
func RequestedURLs(all []EngineRequest) (urls []string) {
	for _, r := range all {
		urls = append(urls, r.URLs...)
	}
	slices.Sort(urls)
	return urls
}

func (w *Web) serve(rw http.ResponseWriter, r *http.Request) {
	host := r.Host
	switch site := w.Sites[host]; {
	case site != nil:
		site.ServeHTTP(rw, r)
	case r.URL.Path == "/indexnow":
		rw.WriteHeader(w.handleSubmission(host, r))
	default:
		w.t.Error("a request to", host, r.URL)
		rw.WriteHeader(http.StatusBadGateway)
	}
}

// handleSubmission processes a request as an IndexNow engine does, and returns the HTTP status of
// the response. See https://www.indexnow.org/documentation
func (w *Web) handleSubmission(engine string, r *http.Request) (status int) {
	submission := EngineRequest{Engine: engine}
	if r.Method != http.MethodPost || r.Header.Get("Content-Type") != "application/json; charset=utf-8" || json.NewDecoder(r.Body).Decode(&submission) != nil {
		return http.StatusBadRequest
	}
	w.mu.Lock()
	defer w.mu.Unlock()
	w.n++
	if w.Status != nil {
		if code := w.Status(w.n); code != 0 {
			return code
		}
	}
	base := "https://" + submission.Host + "/"
	if submission.Location != "" {
		base = submission.Location[:strings.LastIndexByte(submission.Location, '/')+1]
	}
	foreign := func(loc string) bool { return !strings.HasPrefix(loc, base) }
	if len(submission.URLs) == 0 || len(submission.URLs) > 10_000 || slices.ContainsFunc(submission.URLs, foreign) {
		return http.StatusUnprocessableEntity
	}
	if !w.servesKey(base+submission.Key+".txt", submission.Key) {
		return http.StatusForbidden
	}
	w.accepted = append(w.accepted, submission)
	return http.StatusOK
}

// servesKey reports whether the site responds to a request for the URL loc with the key as its
// content.
func (w *Web) servesKey(loc, key string) bool {
	r := httptest.NewRequest(http.MethodGet, loc, nil)
	site := w.Sites[r.URL.Host]
	if site == nil {
		return false
	}
	rec := httptest.NewRecorder()
	site.ServeHTTP(rec, r)
	return rec.Code == http.StatusOK && rec.Body.String() == key
}

// ServeFolder returns a handler for the files in dir. Like web hosts, it does not list folders.
func ServeFolder(dir string) http.Handler {
	files := http.FileServer(http.Dir(dir))
	return http.HandlerFunc(func(rw http.ResponseWriter, r *http.Request) {
		file := filepath.Join(dir, filepath.FromSlash(r.URL.Path))
		if strings.HasSuffix(r.URL.Path, "/") {
			file = filepath.Join(file, "index.html")
		}
		if _, err := os.Stat(file); err != nil {
			http.NotFound(rw, r)
			return
		}
		files.ServeHTTP(rw, r)
	})
}

// tunnel connects the client of a CONNECT request with the server at addr.
func tunnel(rw http.ResponseWriter, addr string) {
	there, err := net.Dial("tcp", addr)
	if err != nil {
		rw.WriteHeader(http.StatusBadGateway)
		return
	}
	defer there.Close()
	here, _, err := http.NewResponseController(rw).Hijack()
	if err != nil {
		return
	}
	defer here.Close()
	_, _ = io.WriteString(here, "HTTP/1.1 200 Connection established\r\n\r\n")
	done := make(chan struct{}, 2)
	for _, way := range [][2]net.Conn{{here, there}, {there, here}} {
		go func() {
			_, _ = io.Copy(way[0], way[1])
			done <- struct{}{}
		}()
	}
	<-done
}

// newCertificateSource creates a certificate authority, and writes its certificate to the file
// w.ca. It returns a function for tls.Config.GetCertificate that creates a certificate for the
// requested host.
func (w *Web) newCertificateSource() func(*tls.ClientHelloInfo) (*tls.Certificate, error) {
	key, err := ecdsa.GenerateKey(elliptic.P256(), rand.Reader)
	root := &x509.Certificate{
		SerialNumber: big.NewInt(1), Subject: pkix.Name{CommonName: "a test"}, NotBefore: time.Now().Add(-time.Hour), NotAfter: time.Now().Add(24 * time.Hour),
		IsCA: true, BasicConstraintsValid: true, KeyUsage: x509.KeyUsageCertSign,
	}
	var der []byte
	if err == nil {
		der, err = x509.CreateCertificate(rand.Reader, root, root, &key.PublicKey, key)
	}
	if err == nil {
		err = os.WriteFile(w.ca, pem.EncodeToMemory(&pem.Block{Type: "CERTIFICATE", Bytes: der}), 0o644)
	}
	if err != nil {
		w.t.Fatal(err)
	}
	return func(hello *tls.ClientHelloInfo) (*tls.Certificate, error) {
		leaf := &x509.Certificate{
			SerialNumber: big.NewInt(time.Now().UnixNano()), DNSNames: []string{hello.ServerName}, NotBefore: root.NotBefore, NotAfter: root.NotAfter,
			KeyUsage: x509.KeyUsageDigitalSignature, ExtKeyUsage: []x509.ExtKeyUsage{x509.ExtKeyUsageServerAuth},
		}
		signed, err := x509.CreateCertificate(rand.Reader, leaf, root, &key.PublicKey, key)
		return &tls.Certificate{Certificate: [][]byte{signed}, PrivateKey: key}, err
	}
}
