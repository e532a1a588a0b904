package config

import (
	"fmt"
	"net/url"
	"strings"

	"github.com/sitewalk/sitewalk/writer"
)

// indexNow settles the key by which search engines are told of changes.
func (r *resolver) indexNow() {
	c := r.pick("output.indexnow", keyFlag, r.in.Flags.Key, r.file.Output.IndexNow)
	if c.by == "" {
		return
	}
	if err := writer.CheckKey(c.V); err != nil {
		r.reject(c, "bad-value", "%v", err)
		return
	}
	r.s.Writer.Key = c.V
}

// pings are the addresses that are called after a submission: what is to be
// told, the address of the sitemap, is appended to each.
func (r *resolver) pings() {
	for i, p := range r.file.Submit.Ping.V {
		c := choice{text: p, who: fmt.Sprintf("submit.ping[%d]", i+1), by: "file"}
		u, err := url.Parse(p.V)
		if err != nil || u.Host == "" || u.Scheme != "http" && u.Scheme != "https" || !strings.HasSuffix(p.V, "=") {
			r.reject(c, "bad-url", `%q is no address to which that of the sitemap can be added; write "https://search.example.com/ping?sitemap="`, p.V)
			continue
		}
		r.s.Pings = append(r.s.Pings, p.V)
	}
}
