package page

import "bytes"

// mostWaiting is how many letters a page shows at most while a script is still to bring its
// content: "Loading …".
const mostWaiting = 100

// IsShell reports whether a page has neither text nor links nor pictures, and a script that is
// to bring them, as the page of a single-page application. head is what the file begins
// with, which is all of a short page; a longer one is no shell.
func IsShell(head []byte) bool {
	if len(head) >= firstRead || !bytes.Contains(head, []byte("<script")) {
		return false
	}
	letters, other, _ := shown(head, false, mostWaiting, true)
	return letters <= mostWaiting && !other
}
