package build

import (
	"slices"

	"github.com/sitewalk/sitewalk/internal/config"
)

// Origins say who decided each setting, and what the pages themselves decided.
func (b *Build) Origins() []config.Origin {
	if b.Settings == nil {
		return nil
	}
	all := slices.Clip(b.Settings.Origins)
	for _, l := range b.Result.LinkStyles {
		key, value := l.Setting()
		o := config.Origin{Key: key, Value: value, By: "detected", Why: l.String()}
		if l.Dir != "" {
			o.Key = "sites " + l.Dir + " " + o.Key
		}
		all = append(all, o)
	}
	return all
}
