package facts

import (
	"reflect"
	"slices"
	"testing"
	"time"

	"github.com/sitewalk/sitewalk/page"
	"github.com/sitewalk/sitewalk/sitemap"
)

// TestContentKeepsAllFacts checks that a Content keeps every fact of front matter, in its own
// fields or in Facts.
func TestContentKeepsAllFacts(t *testing.T) {
	notStored := []string{ // structs with other fields, facts of HTML only, and facts that Content does not keep
		"URL", "Dates", "Loc", "Canonical", "CanonicalPos", "OGURL", "Base", "EditLinks", "Links", "Includes", "Fingerprint", "Lead", "Lang", "SiteName", "Published", "Generated",
	}
	s := &Set{o: Options{Page: page.Options{Titles: true}, Content: &Tree{}}}
	fields := reflect.VisibleFields(reflect.TypeFor[page.Facts]())
	for _, f := range reflect.VisibleFields(reflect.TypeFor[sitemap.URL]()) {
		f.Index = append([]int{0}, f.Index...)
		fields = append(fields, f)
	}
	for _, field := range fields {
		if slices.Contains(notStored, field.Name) {
			continue
		}
		var want page.Facts
		set(reflect.ValueOf(&want).Elem().FieldByIndex(field.Index))
		src, facts := new(Content), want
		s.newContentLearner().storeFacts(src, &facts)
		got := src.AllFacts(new(page.Facts))
		if !reflect.DeepEqual(*got, want) {
			t.Errorf("%s: %+v is kept as %+v", field.Name, want, *got)
		}
	}
}

// set sets v to a value other than its zero value.
func set(v reflect.Value) {
	switch v.Kind() {
	case reflect.String:
		v.SetString("x")
	case reflect.Uint8, reflect.Uint16:
		v.SetUint(1)
	case reflect.Int8, reflect.Int16:
		v.SetInt(1)
	case reflect.Slice:
		v.Set(reflect.MakeSlice(v.Type(), 1, 1))
	case reflect.Pointer:
		v.Set(reflect.New(v.Type().Elem()))
	default:
		v.Set(reflect.ValueOf(sitemap.DayOf(time.Unix(0, 0))))
	}
}
