package console

import (
	"cmp"
	"context"
	"encoding/json"
	"net/http"
	"net/url"
	"time"

	"github.com/sitewalk/sitewalk/internal/fetch"
)

// metadataIn is how long the server of metadata may take. It answers at once where there
// is one, and elsewhere its address often answers nothing at all.
const metadataIn = 2 * time.Second

// errNowhere is why there is no token when no place has one.
var errNowhere = &refusal{
	text: "there is nothing to log in to Google with",
	hint: "set " + tokenEnv + " to a token, or " + fileEnv + " to the file of a key; " + guide,
}

// metadata gets a token from the server of metadata, which machines of Google Cloud have.
// The request goes past every proxy: another machine would answer for itself.
// https://cloud.google.com/compute/docs/access/authenticate-workloads
func (c *Console) metadata(ctx context.Context, a *account) error {
	ctx, cancel := context.WithTimeout(ctx, metadataIn)
	defer cancel()
	to := "http://" + cmp.Or(c.o.Getenv("GCE_METADATA_HOST"), "169.254.169.254") +
		"/computeMetadata/v1/instance/service-accounts/default/token?scopes=" + url.QueryEscape(c.scope())
	r, err := http.NewRequestWithContext(ctx, http.MethodGet, to, nil)
	if err != nil {
		return errNowhere
	}
	r.Header.Set("Metadata-Flavor", "Google")
	direct := &http.Client{Transport: &http.Transport{DisableKeepAlives: true}}
	response, body, err := fetch.Do(cmp.Or(c.o.Client, direct), r, maxKey)
	var t struct {
		Token string `json:"access_token"`
	}
	if err != nil || response.Header.Get("Metadata-Flavor") != "Google" || json.Unmarshal(body, &t) != nil || t.Token == "" {
		return errNowhere
	}
	a.token = t.Token
	return nil
}
