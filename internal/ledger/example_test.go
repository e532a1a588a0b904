package ledger_test

import (
	"fmt"
	"iter"
	"os"
	"slices"
	"time"

	"github.com/sitewalk/sitewalk/internal/ledger"
	"github.com/sitewalk/sitewalk/sitemap"
)

func ExampleLedger_Update() {
	day := func(n int) sitemap.Date { return sitemap.DayOf(time.Date(2024, 5, n, 0, 0, 0, 0, time.UTC)) }
	site := func(pages ...ledger.Page) iter.Seq[ledger.Page] { return slices.Values(pages) }
	o := ledger.UpdateOptions{FingerprintVersion: "1"}

	memory := &ledger.Ledger{} // of a first run
	memory = memory.Update(site(ledger.Page{Path: "/", Fingerprint: "5f1d"}, ledger.Page{Path: "/about/", Fingerprint: "9c2b"}), day(1), o)
	memory = memory.Update(site(ledger.Page{Path: "/", Fingerprint: "77aa"}, ledger.Page{Path: "/about-us/", Fingerprint: "9c2b"}, ledger.Page{Path: "/new page/", Fingerprint: "0e0e"}), day(2), o)
	os.Stdout.Write(memory.AppendTo(nil))
	// Output:
	// # sitewalk ledger 1
	// # fingerprint 1
	// # path, fingerprint of the content, day of its last change
	// / 77aa 2024-05-02
	// /about-us/ 9c2b -
	// /about/ 9c2b - gone=2024-05-02
	// /new%20page/ 0e0e 2024-05-02
	// # end sum=45e417ba
}

func ExampleLedger_Date() {
	memory := (&ledger.Ledger{}).Update(slices.Values([]ledger.Page{{Path: "/", Fingerprint: "5f1d"}}), sitemap.Date{}, ledger.UpdateOptions{})
	_, why := memory.Date("/")
	fmt.Println(why)
	_, why = memory.Date("/elsewhere/")
	fmt.Println(why)
	// Output:
	// not changed since the ledger first saw it
	// not in the ledger
}
