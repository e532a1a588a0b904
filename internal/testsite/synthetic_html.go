package testsite

import (
	"cmp"
	"fmt"
	"math/rand/v2"
	"strings"
	"time"
)

// AppendHTML appends the built HTML of page p to b.
func (s SyntheticSite) AppendHTML(b []byte, p SyntheticPage) []byte {
	base := cmp.Or(s.BaseURL, "https://example.com/")
	if p.Kind == Redirect {
		return fmt.Appendf(b, "<!DOCTYPE html>\n<html lang=\"%s\"><head><title>%[2]s</title>\n<link rel=\"canonical\" href=\"%[2]s\">\n"+
			"<meta charset=\"utf-8\"><meta http-equiv=\"refresh\" content=\"0; url=%[2]s\"></head></html>\n", p.Lang, base+p.Target)
	}
	from, head := len(b), s.headSize(p)
	b = s.appendMetas(b, p, base)
	if !s.Shares.Heads || head >= fullHead {
		b = s.appendHeadExtras(b, p, base+p.loc)
	}
	// Fill the head with CSS up to its size, as style sheets and scripts do on real pages.
	const end = "</style>\n</head>\n"
	b = append(b, "<style>\n"...)
	b = padWithText(b, from+head-len(end), ".post-header > .title { margin: 0 auto; color: #1a2b3c }\n", 0)
	b = append(b, end...)
	b = fmt.Appendf(b, "<body>\n<nav><a href=\"/\">Home</a> <a href=\"/docs/\">Docs</a></nav>\n<main><h1>%s</h1>\n", p.Title)
	const tail = "</p>\n</main>\n<footer>Made for measuring.</footer>\n</body>\n</html>\n"
	b = append(b, "<p>"...)
	b = s.appendLinks(b, p)
	b = padWithText(b, from+max(cmp.Or(s.Size, 12000), head)-len(tail), text, p.Number*97)
	return append(b, tail...)
}

// headSize returns the size in bytes to which AppendHTML pads the head of page p.
func (s SyntheticSite) headSize(p SyntheticPage) int {
	if !s.Shares.Heads {
		return cmp.Or(s.Head, 5000)
	}
	at := p.Number * 61 % 100
	for _, h := range headShares {
		if at < h.percent {
			r := rand.New(rand.NewPCG(s.Seed+3, uint64(p.Number)))
			return h.from + r.IntN(h.to-h.from)
		}
		at -= h.percent
	}
	return 0
}

// fullHead is the minimum size in bytes of a head with social metadata and structured data. It
// applies only if Shares.Heads is set.
const fullHead = 3000

func addTrailingSlash(dir string) string {
	if dir == "" {
		return ""
	}
	return dir + "/"
}

func (s SyntheticSite) appendMetas(b []byte, p SyntheticPage, base string) []byte {
	canonical := base + p.loc
	if p.Kind == Copy {
		canonical = base + p.Target
	}
	b = fmt.Appendf(b, "<!DOCTYPE html>\n<html lang=\"%s\">\n<head>\n<meta charset=\"utf-8\">\n"+
		"<meta name=\"viewport\" content=\"width=device-width, initial-scale=1\">\n<title>%s | Example</title>\n"+
		"<meta name=\"description\" content=\"%s\">\n<link rel=\"canonical\" href=\"%s\">\n",
		p.Lang, p.Title, p.Summary, canonical)
	if p.Kind == NoIndex {
		b = append(b, "<meta name=\"robots\" content=\"noindex, follow\">\n"...)
	}
	for _, a := range p.Alternates {
		b = fmt.Appendf(b, "<link rel=\"alternate\" hreflang=\"%s\" href=\"%s%s\">\n", a.Lang, base, a.Path)
	}
	return b
}

// appendHeadExtras appends meta elements for social media, a style sheet and a script to b. On
// every second page, it also appends structured data. loc is the URL of the page.
func (s SyntheticSite) appendHeadExtras(b []byte, p SyntheticPage, loc string) []byte {
	for _, m := range [][2]string{
		{"og:type", "article"},
		{"og:title", p.Title},
		{"og:description", p.Summary},
		{"og:url", loc},
		{"article:published_time", p.Created.Format(time.RFC3339)},
		{"article:modified_time", p.Modified.Format(time.RFC3339)},
	} {
		b = fmt.Appendf(b, "<meta property=\"%s\" content=\"%s\">\n", m[0], m[1])
	}
	b = append(b, "<link rel=\"stylesheet\" href=\"/style.css\">\n<script src=\"/app.js\" defer></script>\n"...)
	if p.Number%2 == 0 {
		b = fmt.Appendf(b, "<script type=\"application/ld+json\">{\"@context\":\"https://schema.org\",\"@type\":\"Article\","+
			"\"headline\":%q,\"datePublished\":%q,\"dateModified\":%q}</script>\n",
			p.Title, p.Created.Format(time.RFC3339), p.Modified.Format(time.RFC3339))
	}
	return b
}

// padWithText appends text to b, several times if necessary, until b has size bytes. The first
// repetition starts at the given offset in text.
func padWithText(b []byte, size int, text string, offset int) []byte {
	offset %= len(text)
	for len(b) < size {
		part := text[offset:]
		b = append(b, part[:min(len(part), size-len(b))]...)
		offset = 0
	}
	return b
}

// AppendMarkdown appends the content file of page p, with YAML front matter, to b.
func (s SyntheticSite) AppendMarkdown(b []byte, p SyntheticPage) []byte {
	b = fmt.Appendf(b, "---\ntitle: %q\ndescription: %q\ndate: %s\nlastmod: %s\n",
		p.Title, p.Summary, p.Created.Format(time.RFC3339), p.Modified.Format(time.RFC3339))
	if p.Kind == NoIndex {
		b = append(b, "noindex: true\n"...)
	}
	if p.Beside {
		b = fmt.Appendf(b, "url: /%s\n", p.loc)
	}
	if next := s.Page(p.Number + s.numLanguages()); next.Kind == Redirect && next.Number < s.Pages {
		b = fmt.Appendf(b, "aliases: [/%s]\n", next.loc)
	}
	b = append(b, "---\n\n"...)
	return append(padWithText(b, len(b)+cmp.Or(s.Size, 12000)/3, text, p.Number*97), '\n')
}

// text contains about 50 kB of random sentences for the bodies of pages.
var text = func() string {
	r := rand.New(rand.NewPCG(1, 2))
	var b strings.Builder
	for b.Len() < 50_000 {
		b.WriteString(randomSentence(r, 6+r.IntN(12)))
		b.WriteString(". ")
	}
	return b.String()
}()

func randomSentence(r *rand.Rand, n int) string {
	parts := make([]string, n)
	for i := range parts {
		parts[i] = randomWord(r)
	}
	s := strings.Join(parts, " ")
	return strings.ToUpper(s[:1]) + s[1:]
}

func randomWord(r *rand.Rand) string { return words[r.IntN(len(words))] }

var words = strings.Fields(`able account across action after again agent allow along always answer apply archive
area around author autumn balance basic before begin behind below better between beyond bicycle border bottle branch
bread bridge bright budget build button calendar camera candle carry castle center chapter chart choose circle clear
clock cloud coffee collect color column common compare complete connect corner country course cover create custom
daily danger decide default deliver depend desert design detail device differ dinner direct distance divide doctor
double dream during early earth editor effect eight electric empty energy engine enough enter entry equal error
evening event every example expect explain family feature field figure filter finish first floor flower follow forest
forward fresh friend front garden general gentle glass global golden grain green group guide happy harbor health
heart heavy height history hotel house image improve index inside island item journey kitchen label ladder language
large later layer leader learn letter level library light limit list local logic lower machine magnet manage manual
market master matter measure member memory method middle minute mirror modern moment monitor morning mother mountain
museum music narrow nature never night normal north number object ocean offer office often orange order origin other
output owner paper parent people perfect person picture place plain planet plant point policy power present price
print process project public quality question quick quiet random reader reason recipe record region release remote
report request result return river round route sample scale school science search season second select server seven
shadow share shelter silent simple single small smooth source south space speak special spring square stable station
storm story stream street strong student summer supply system table target teacher theme thing thousand ticket timber
today together tower travel under update upper useful valley value version village violet visit voice volume walk
water weather welcome west window winter wonder world writer yellow young`)

// linkTargets returns the targets of the links on page p. Of five links, two are the same on every
// page, two are relative links to later pages, and one goes to a random page.
func (s SyntheticSite) linkTargets(p SyntheticPage) []string {
	r := rand.New(rand.NewPCG(s.Seed+3, uint64(p.Number)))
	up := strings.Repeat("../", strings.Count(p.loc, "/"))
	out := make([]string, s.Links)
	for i := range out {
		switch i % 5 {
		case 0, 1:
			out[i] = "/" + s.urlPathForLinkTo(i)
		case 2, 3:
			out[i] = up + s.urlPathForLinkTo(p.Number+1+i)
		default:
			out[i] = "/" + s.urlPathForLinkTo(r.IntN(s.Pages))
		}
	}
	return out
}

// urlPathForLinkTo returns the URL path of page i, without a leading slash. If the page is a
// redirect, it returns the path of its target. After the last page, i counts from the first page
// again.
func (s SyntheticSite) urlPathForLinkTo(i int) string {
	i %= s.Pages
	if subject, _ := s.subjectOf(i); s.kindOfSubject(subject) == Redirect {
		i -= s.numLanguages()
	}
	return s.pageURLPath(i)
}

// appendLinks appends the links of page p with some text to b. Every tenth link is replaced by an
// image.
func (s SyntheticSite) appendLinks(b []byte, p SyntheticPage) []byte {
	for i, to := range s.linkTargets(p) {
		word := words[(p.Number+i)%len(words)]
		if i%10 == 9 {
			b = fmt.Appendf(b, "<img src=\"/style.css\" alt=\"%s\"> ", word)
			continue
		}
		b = fmt.Appendf(b, "See <a class=\"link\" href=\"%s\">%s</a> for more.\n", to, word)
	}
	return b
}
