package console

import (
	"context"
	"errors"
	"fmt"
	"net/http"
	"net/url"
	"slices"
	"strings"

	"github.com/sitewalk/sitewalk/diag"
)

// A refusal is what Google refuses, or why there is no token that may be sent, with what to
// do in Search Console or in Google Cloud.
type refusal struct {
	text, hint string
	passing    bool
	ofAPI      bool // and not of the account, which is the same for every sitemap
}

func (r *refusal) Error() string { return r.text }

// noQuotaProject is the reason, in our word, of requests of a person that no project
// pays for.
const noQuotaProject = "noQuotaProject"

// users is where Search Console says who may do what.
const users = "in Search Console, under Settings, Users and permissions, "

// explain says what an error of the API means for a property; "" is for the list of them.
// It asks for that list where it helps.
func (c *Console) explain(ctx context.Context, err error, property string) error {
	var a *answerError
	if !errors.As(err, &a) {
		return err
	}
	r := &refusal{ofAPI: true, text: a.Error(), passing: a.passing()}
	who := c.account
	switch {
	case r.passing && a.status != 0 && a.status < 500:
		r.text = fmt.Sprintf("it answers %d: the quota of requests is used up", a.status)
	case r.passing:
	case a.status == http.StatusUnauthorized:
		r.text, r.hint = "it answers 401: it does not accept the token of "+who.from, unaccepted(who)
	case isOneOf(a.reason, "accessNotConfigured", "SERVICE_DISABLED"):
		r.text = "it answers 403: the Search Console API is not enabled in the project of " + who.name()
		r.hint = "enable it, and wait a few minutes: https://console.cloud.google.com/apis/library/searchconsole.googleapis.com" + inProject(a.project)
	case a.reason == noQuotaProject:
		r.text = "it answers 403: no project is named that the requests of " + who.name() + " count for"
		r.hint = "gcloud auth application-default set-quota-project PROJECT, or set " + quotaEnv
	case isOneOf(a.reason, "ACCESS_TOKEN_SCOPE_INSUFFICIENT", "insufficientPermissions", "insufficientScopes"):
		r.text, r.hint = "it answers 403: the token of "+who.from+" was not made for Search Console", "ask for the scope "+tellScope+howToScope(who)
	case a.status == http.StatusForbidden && property != "":
		r.text = fmt.Sprintf("it answers 403: %s has no permission for the property %s", who.name(), property)
		r.hint = users + "add it with full permission" + c.seenBy(ctx)
	case a.status == http.StatusNotFound && a.isAPI && property != "":
		r.text = "it answers 404: there is no property " + property
		r.hint = "add it in Search Console" + c.seenBy(ctx)
	case a.status == http.StatusBadRequest && a.isAPI && property != "":
		r.text = "it answers 400: it does not take the address of the sitemap for the property " + property
		r.hint = "is the property written as Search Console writes it" + c.seenBy(ctx)
	default:
		if a.reason != "" {
			r.text += ": " + a.reason
		}
		r.hint = "is SITEWALK_GOOGLE_API the API of Search Console, and does no proxy stand between? The default is " + defaultAPI
	}
	return r
}

func isOneOf(reason string, words ...string) bool {
	return slices.ContainsFunc(words, func(w string) bool { return strings.EqualFold(reason, w) })
}

func unaccepted(a *account) string {
	if a.from == tokenEnv {
		return "a token lasts for an hour: make it in the same job, as the step google-github-actions/auth does with token_format: access_token"
	}
	return "log in again, or make another key"
}

func howToScope(a *account) string {
	switch a.from {
	case tokenEnv:
		return ", as access_token_scopes of google-github-actions/auth does"
	case "gcloud":
		return ": gcloud auth application-default login --scopes=" + tellScope + ",https://www.googleapis.com/auth/cloud-platform"
	}
	return "; a machine of Google Cloud has scopes of its own, so use a key or a token there"
}

func inProject(number string) string {
	if number == "" {
		return ""
	}
	return "?project=" + number
}

// seenBy says which properties the account sees, as far as Google tells.
func (c *Console) seenBy(ctx context.Context) string {
	if _, err := c.list(ctx); err != nil {
		return ""
	}
	return "; " + c.sees()
}

// noProperty explains that no property serves an address: best holds it, and the account
// may not do enough there; nil is none.
func (c *Console) noProperty(best *Property, loc string) error {
	who := c.account.name()
	switch {
	case best != nil && best.level() < restricted:
		return &refusal{ofAPI: true, text: fmt.Sprintf("%s is not verified for %s", who, best.URL), hint: users + "the owner has to add it with full permission"}
	case best != nil:
		return &refusal{ofAPI: true, text: fmt.Sprintf("%s may only read %s: it is a restricted user", who, best.URL), hint: users + "give it full permission"}
	}
	host := loc
	if u, err := url.Parse(loc); err == nil {
		host = u.Hostname()
	}
	return &refusal{
		ofAPI: true,
		text:  fmt.Sprintf("%s sees no property that holds %s", who, loc),
		hint:  fmt.Sprintf("add %s%s to Search Console, and %sadd %s with full permission; %s", domainPrefix, host, users, who, c.sees()),
	}
}

// finding is a finding about the sitemap at an address.
func (r *refusal) finding(loc string) diag.Diagnostic {
	text := r.text
	switch {
	case !r.ofAPI:
		loc = ""
	case strings.Contains(text, loc):
		text = "Search Console: " + text
	default:
		text = "Search Console: " + text + ", asked of " + loc
	}
	if r.passing {
		return diag.Warnf(diag.Pos{}, "google-failed", "run it again later", "%s", text).About(loc)
	}
	return diag.Errorf(diag.Pos{}, "google-refused", r.hint, "%s", text).About(loc)
}
