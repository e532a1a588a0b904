package cli

import (
	"github.com/sitewalk/sitewalk/diag"
	"github.com/sitewalk/sitewalk/internal/config"
	"github.com/sitewalk/sitewalk/internal/report"
)

// printOrigins says who decided each setting.
func printOrigins(p *Printer, all []config.Origin) {
	for _, o := range all {
		from := o.By
		if o.Pos.File != "" {
			from += " " + o.Pos.String()
		}
		if o.Why != "" {
			from += " " + o.Why
		}
		p.Say("%s: %s (%s)", o.Key, o.Value, from)
	}
}

// printProjectFolder says which folder is the project's where a person may not expect it.
func printProjectFolder(p *Printer, s *config.Settings) {
	if s != nil && s.Around != "" {
		p.Say("the project is that of the folder %s", s.Around)
	}
}

// printBaseline prints what became of the baseline that was read from a file, or written to one;
// "" is none.
func printBaseline(p *Printer, r *report.Report, read, written string) {
	switch {
	case r.Error != "":
	case written != "":
		p.Say("%s accepted, and written to %s", diag.Count(r.Accepted, "finding"), written)
	case r.Accepted > 0:
		p.Say("%s accepted, which %s knows", diag.Count(r.Accepted, "finding"), read)
	}
	for i, line := range r.Fixed {
		if i == diag.Kept {
			p.Say("fixed: %d more", len(r.Fixed)-i)
			break
		}
		p.Say("fixed: %s", line)
	}
	if len(r.Fixed) > 0 && written == "" && r.Error == "" {
		p.Say("%s of %s fixed; --write-baseline %[2]s writes it without", diag.Count(len(r.Fixed), "finding"), read)
	}
}

func nonEmpty(ss ...string) []string {
	var out []string
	for _, s := range ss {
		if s != "" {
			out = append(out, s)
		}
	}
	return out
}

func parens(s string) string {
	if s == "" {
		return ""
	}
	return "(" + s + ")"
}
