package submit

import (
	"fmt"
	"maps"
	"net/http"
	"net/url"
	"slices"
	"strings"
)

// engines are the endpoints of the register of IndexNow,
// https://www.indexnow.org/searchengines.json, by their names there, and the one
// that is shared by all.
var engines = map[string]string{
	"indexnow":  "https://api.indexnow.org/indexnow",
	"bing":      "https://www.bing.com/indexnow",
	"yandex":    "https://yandex.com/indexnow",
	"seznam":    "https://search.seznam.cz/indexnow",
	"naver":     "https://searchadvisor.naver.com/indexnow",
	"yep":       "https://indexnow.yep.com/indexnow",
	"amazonbot": "https://indexnow.amazonbot.amazon/indexnow",
}

// sharedEngine is the engine that tells all others: one message is enough.
const sharedEngine = "indexnow"

// Engines returns the names of the engines.
func Engines() []string { return slices.Sorted(maps.Keys(engines)) }

// endpoints returns the addresses that names, or addresses, stand for.
func endpoints(names []string) (out []string, err error) {
	if len(names) == 0 {
		names = []string{sharedEngine}
	}
	for _, name := range names {
		to, ok := engines[name]
		if u, err := url.Parse(name); !ok && err == nil && u.Host != "" && (u.Scheme == "https" || u.Scheme == "http") {
			to, ok = name, true
		}
		if name == "internetarchive" { // as of September 2026
			return nil, fmt.Errorf("engine %q has no address of its own that answers; %s tells it, too", name, sharedEngine)
		}
		if !ok {
			return nil, fmt.Errorf("engine %q is not one of %s, and not the address of one", name, strings.Join(Engines(), ", "))
		}
		if !slices.Contains(out, to) {
			out = append(out, to)
		}
	}
	return out, nil
}

// contentType is what the protocol asks for.
const contentType = "application/json; charset=utf-8"

// most is how many URLs the protocol allows in one request.
const most = 10_000

// A parcel is the body of a request.
type parcel struct {
	Host     string   `json:"host"`
	Key      string   `json:"key"`
	Location string   `json:"keyLocation,omitempty"`
	URLs     []string `json:"urlList"`
}

// A status is what an answer of the protocol means.
type status struct {
	text string
	hint string // %s is the address of the key's file
}

// statuses are those of https://www.indexnow.org/documentation, and 405 of Yandex.
var statuses = map[int]status{
	http.StatusOK:                  {"received", ""},
	http.StatusAccepted:            {"received, and the key is yet to be checked", "nothing is to be done; if it stays so for days, make another key: sitewalk init --indexnow"},
	http.StatusBadRequest:          {"it does not understand the request", "is that the address of an IndexNow engine? --dry-run prints the request"},
	http.StatusForbidden:           {"it does not accept the key", "%s must answer it with the key alone, for programs, too; a key that was refused once may need another one: sitewalk init --indexnow"},
	http.StatusMethodNotAllowed:    {"it takes no such request", "is that the address of an IndexNow engine?"},
	http.StatusUnprocessableEntity: {"URLs that are not of the host, or not below the key's file", "%s speaks only for what lies below its own folder"},
	http.StatusTooManyRequests:     {"too many requests", ""},
}

// statusOf returns what an answer means; passing is one that may be another next time.
func statusOf(code int) (s status, passing bool) {
	s, ok := statuses[code]
	if !ok {
		s = status{"no answer of IndexNow", "is that the address of an IndexNow engine?"}
	}
	if code >= 500 {
		s = status{"it is out of order", ""}
	}
	return s, code == http.StatusTooManyRequests || code >= 500
}
