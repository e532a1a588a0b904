package sitemap

import (
	"fmt"
	"strings"
)

// CheckLang returns an error if lang is not a valid value of hreflang, such as "en", "zh-Hant",
// "pt-BR" or "x-default". Except for "x-default", lang must begin with a two-letter language code
// of ISO 639-1 or with any three letters. Each further part follows a hyphen, and has one to eight
// letters and digits. A part of two characters must be a region of ISO 3166-1, such as "BR", or
// "XK" for Kosovo. The case does not matter.
func CheckLang(lang string) error {
	if strings.EqualFold(lang, "x-default") {
		return nil
	}
	first, rest, _ := strings.Cut(lang, "-")
	switch {
	case strings.Contains(lang, "_"):
		return fmt.Errorf("hreflang %q has an underscore; write %q", lang, strings.ReplaceAll(lang, "_", "-"))
	case !isLanguage(first):
		return fmt.Errorf("hreflang %q does not begin with a language code", lang)
	case strings.HasSuffix(lang, "-"):
		return fmt.Errorf("hreflang %q ends in a hyphen", lang)
	case rest == "":
		return nil
	}
	for sub := range strings.SplitSeq(rest, "-") {
		if err := checkSubtag(lang, sub); err != nil {
			return err
		}
	}
	return nil
}

// isLanguage reports whether s is a two-letter code of ISO 639-1, or any word of three letters. The
// case does not matter.
func isLanguage(s string) bool {
	if len(s) == 2 {
		return hasCode(languages, strings.ToLower(s))
	}
	return len(s) == 3 && isLetter(s[0]) && isLetter(s[1]) && isLetter(s[2])
}

// checkSubtag returns an error if sub, a part of lang after a hyphen, is invalid. A valid part has
// one to eight letters and digits. A part of two characters must be one of regions.
func checkSubtag(lang, sub string) error {
	for i := range len(sub) {
		if !isLetter(sub[i]) && !isDigit(sub[i]) {
			return fmt.Errorf("hreflang %q has a %q", lang, sub[i:i+1])
		}
	}
	switch {
	case len(sub) == 0 || len(sub) > 8:
		return fmt.Errorf("hreflang %q is not a language tag", lang)
	case strings.EqualFold(sub, "UK"):
		return fmt.Errorf("hreflang %q has no such region; the United Kingdom is GB", lang)
	case len(sub) == 2 && !hasCode(regions, strings.ToUpper(sub)):
		return fmt.Errorf("hreflang %q has no such region as %q", lang, sub)
	}
	return nil
}

// hasCode reports whether list, a text of two-letter codes with spaces between them, contains s.
func hasCode(list, s string) bool {
	return len(s) == 2 && isLetter(s[0]) && isLetter(s[1]) && strings.Contains(list, s)
}

// languages lists the two-letter codes of ISO 639-1 that are valid in BCP 47, including obsolete
// codes.
const languages = "aa ab ae af ak am an ar as av ay az ba be bg bh bi bm bn bo br bs ca ce ch co cr cs cu cv cy da de dv dz ee el en eo es et eu " +
	"fa ff fi fj fo fr fy ga gd gl gn gu gv ha he hi ho hr ht hu hy hz ia id ie ig ii ik in io is it iu iw ja ji jv jw ka kg ki kj kk kl km kn ko kr ks ku kv kw ky " +
	"la lb lg li ln lo lt lu lv mg mh mi mk ml mn mo mr ms mt my na nb nd ne ng nl nn no nr nv ny oc oj om or os pa pi pl ps pt qu rm rn ro ru rw " +
	"sa sc sd se sg sh si sk sl sm sn so sq sr ss st su sv sw ta te tg th ti tk tl tn to tr ts tt tw ty ug uk ur uz ve vi vo wa wo xh yi yo za zh zu"

// regions lists the codes of ISO 3166-1, and the code of Kosovo.
const regions = "AD AE AF AG AI AL AM AO AQ AR AS AT AU AW AX AZ BA BB BD BE BF BG BH BI BJ BL BM BN BO BQ BR BS BT BV BW BY BZ CA CC CD CF CG " +
	"CH CI CK CL CM CN CO CR CU CV CW CX CY CZ DE DJ DK DM DO DZ EC EE EG EH ER ES ET FI FJ FK FM FO FR GA GB GD GE GF GG GH GI GL " +
	"GM GN GP GQ GR GS GT GU GW GY HK HM HN HR HT HU ID IE IL IM IN IO IQ IR IS IT JE JM JO JP KE KG KH KI KM KN KP KR KW KY KZ LA " +
	"LB LC LI LK LR LS LT LU LV LY MA MC MD ME MF MG MH MK ML MM MN MO MP MQ MR MS MT MU MV MW MX MY MZ NA NC NE NF NG NI NL NO NP " +
	"NR NU NZ OM PA PE PF PG PH PK PL PM PN PR PS PT PW PY QA RE RO RS RU RW SA SB SC SD SE SG SH SI SJ SK SL SM SN SO SR SS ST SV " +
	"SX SY SZ TC TD TF TG TH TJ TK TL TM TN TO TR TT TV TW TZ UA UG UM US UY UZ VA VC VE VG VI VN VU WF WS YE YT ZA ZM ZW XK"
