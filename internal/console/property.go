package console

import (
	"cmp"
	"context"
	"fmt"
	"net/http"
	"net/url"
	"slices"
	"strings"

	"github.com/sitewalk/sitewalk/internal/fetch"
)

// A Property is a site of Search Console, and what the account may do there.
type Property struct {
	URL   string `json:"siteUrl"` // "https://example.com/" or "sc-domain:example.com"
	Level string `json:"permissionLevel"`
}

// domainPrefix begins the name of a property that has every host of a domain.
const domainPrefix = "sc-domain:"

// The levels that the account may have, the least first.
var levels = []string{"siteUnverifiedUser", "siteRestrictedUser", "siteFullUser", "siteOwner"}

const restricted, full = 1, 2 // in levels

func (p *Property) level() int { return slices.Index(levels, p.Level) }

// CheckProperty returns an error that follows its name unless it can be that of a property.
func CheckProperty(name string) error {
	if domain, ok := strings.CutPrefix(name, domainPrefix); ok {
		if domain == "" || strings.ContainsAny(domain, "/:?# ") {
			return fmt.Errorf("is not a property of Search Console; write %sexample.com", domainPrefix)
		}
		return nil
	}
	u, err := url.Parse(name)
	switch {
	case err != nil || u.Host == "" || u.Scheme != "http" && u.Scheme != "https" || u.User != nil || u.RawQuery != "" || u.Fragment != "":
		return fmt.Errorf("is not a property of Search Console; write https://example.com/ or %sexample.com", domainPrefix)
	case !strings.HasSuffix(u.Path, "/"):
		return fmt.Errorf("is not a property of Search Console: its address ends with a slash; write %s/", name)
	}
	return nil
}

// holds reports whether a property has an address.
func holds(property, loc string) bool {
	domain, ok := strings.CutPrefix(property, domainPrefix)
	if !ok {
		return strings.HasSuffix(property, "/") && strings.HasPrefix(loc, property)
	}
	u, err := url.Parse(loc)
	if err != nil {
		return false
	}
	host, domain := fetch.HostOf(u), fetch.HostOf(&url.URL{Host: domain})
	return domain != "" && (host == domain || strings.HasSuffix(host, "."+domain))
}

// named returns the property that the user named if it holds an address, else "".
func (c *Console) named(loc string) string {
	if c.o.Property != "" && holds(c.o.Property, loc) {
		return c.o.Property
	}
	return ""
}

// propertyOf finds the property that is asked of the sitemap at an address: the one that
// holds most of the address among those where the account may do what it is to do.
func (c *Console) propertyOf(ctx context.Context, loc string) (string, error) {
	if name := c.named(loc); name != "" {
		return name, nil
	}
	all, err := c.list(ctx)
	if err != nil {
		return "", c.explain(ctx, err, "")
	}
	least := restricted
	if c.o.Tell {
		least = full
	}
	all = slices.DeleteFunc(slices.Clone(all), func(p Property) bool { return !holds(p.URL, loc) })
	if len(all) == 0 {
		return "", c.noProperty(nil, loc)
	}
	best := slices.MaxFunc(all, func(a, b Property) int {
		return cmp.Or(cmp.Compare(min(a.level(), least), min(b.level(), least)), depth(a.URL)-depth(b.URL))
	})
	if best.level() < least {
		return "", c.noProperty(&best, loc)
	}
	return best.URL, nil
}

// depth says how much of an address a property has in its name. A prefix goes before a
// domain: it is the narrower one.
func depth(property string) int {
	if domain, ok := strings.CutPrefix(property, domainPrefix); ok {
		return len(domain) - 1<<20
	}
	return len(property)
}

// list returns the properties that the account sees.
func (c *Console) list(ctx context.Context) ([]Property, error) {
	if c.properties != nil {
		return c.properties, nil
	}
	var answer struct {
		Sites []Property `json:"siteEntry"`
	}
	if err := c.request(ctx, http.MethodGet, "webmasters/v3/sites", &answer); err != nil {
		return nil, err
	}
	c.properties = []Property{}
	for _, p := range answer.Sites {
		if CheckProperty(p.URL) == nil && p.level() >= 0 && len(p.URL) <= 300 && !c.echoes(p.URL) {
			c.properties = append(c.properties, p)
		}
	}
	slices.SortFunc(c.properties, func(a, b Property) int { return cmp.Compare(a.URL, b.URL) })
	return c.properties, nil
}

// sees says which properties the account sees, at most shown of them.
func (c *Console) sees() string {
	const shown = 10
	if len(c.properties) == 0 {
		return "the account sees no property"
	}
	var all []string
	for _, p := range c.properties[:min(shown, len(c.properties))] {
		all = append(all, p.URL+" ("+p.Level+")")
	}
	text := "the account sees " + strings.Join(all, ", ")
	if more := len(c.properties) - shown; more > 0 {
		text += fmt.Sprintf(" and %d more", more)
	}
	return text
}
