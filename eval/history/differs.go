package history

import (
	"cmp"
	"encoding/json"
	"fmt"
	"maps"
	"path/filepath"
	"slices"

	"evalctl/eval/gate"
	"evalctl/eval/journal"
)

// differences lists how the settings of two consecutive runs differ, for one condition. These
// differences may explain why a case or a rule began to fail.
func (h *History) differences(t Transition, at gate.Condition) (list []string) {
	a, err := journal.ReadManifest(filepath.Join(h.Dir, t.Before.Run))
	if err != nil {
		return []string{err.Error()}
	}
	b, err := journal.ReadManifest(filepath.Join(h.Dir, t.After.Run))
	if err != nil {
		return []string{err.Error()}
	}
	add := func(what, was, is string) {
		if was != is {
			before, after := SettingChange{what, was, is}.Shortened()
			list = append(list, what+": "+before+" → "+after)
		}
	}
	add("version of evalctl", a.Version, b.Version)
	add("built with", a.Toolchain, b.Toolchain)
	add("seed", fmt.Sprint(a.Seed), fmt.Sprint(b.Seed))
	add("time", a.Clock, b.Clock)
	was, is := settingsOf(a, at), settingsOf(b, at)
	add("cases (hash of the data set)", was.data, is.data)
	changes := settingChanges(was, is)
	for _, c := range changes {
		add(c.Name, c.Before, c.After)
	}
	if was.hash != is.hash && len(changes) == 0 {
		list = append(list, fmt.Sprintf("a prompt or another file (hash of the settings): %s → %s",
			cmp.Or(was.hash, "none"), cmp.Or(is.hash, "none")))
	}
	if more := len(list) - maxDiffers; more > 1 {
		list = append(list[:maxDiffers], fmt.Sprintf("and %d settings more", more))
	}
	return list
}

// SettingChange is a setting whose value differs between two runs. An empty value means that the
// setting is absent.
type SettingChange struct{ Name, Before, After string }

// SettingChanges returns the settings that differ between a variant of run a and a variant of run b,
// as their manifests record them, sorted by name.
func SettingChanges(a, b journal.Manifest, was, is gate.Condition) []SettingChange {
	return settingChanges(settingsOf(a, was), settingsOf(b, is))
}

func settingChanges(was, is settings) (list []SettingChange) {
	for _, name := range slices.Sorted(maps.Keys(union(was.fields, is.fields))) {
		if c := (SettingChange{name, was.fields[name], is.fields[name]}); c.Before != c.After {
			list = append(list, c)
		}
	}
	return list
}

// Shortened returns the values as texts of at most 80 characters around the first difference. An
// absent value is "none".
func (c SettingChange) Shortened() (before, after string) {
	a, b := []rune(c.Before), []rune(c.After)
	from := 0
	if max(len(a), len(b)) > maxShown {
		for from < min(len(a), len(b)) && a[from] == b[from] {
			from++
		}
		from = max(0, from-contextLength)
	}
	return cut(a, from), cut(b, from)
}

// maxDiffers is the maximum number of differences in a list.
const maxDiffers = 20

// settings contains what a manifest records about one variant: the dataset hash, the settings hash
// and the single settings.
type settings struct {
	data, hash string
	fields     flatSettings // settings of the suite and of the variant, by name
}

func settingsOf(m journal.Manifest, at gate.Condition) settings {
	s := settings{hash: m.SettingsHashes[at.Suite+"/"+at.Variant], fields: flatSettings{}}
	for i, text := range m.Suites {
		var suite map[string]json.RawMessage
		var name string
		if json.Unmarshal(text, &suite) != nil || json.Unmarshal(suite["name"], &name) != nil || name != at.Suite {
			continue // invalid suites were already reported when the index was built
		}
		s.data = m.Datasets[i].Hash
		var variants []map[string]json.RawMessage
		if json.Unmarshal(suite["variants"], &variants) == nil {
			s.ofVariant(variants, at.Variant)
		}
		s.fields.add("suite's epochs", json.RawMessage("1")) // the default
		for field, value := range suite {
			if field != "variants" {
				s.fields.add("suite's "+field, value)
			}
		}
	}
	return s
}

func (s *settings) ofVariant(variants []map[string]json.RawMessage, name string) {
	for _, v := range variants {
		var called string
		if json.Unmarshal(v["name"], &called) != nil || called != name {
			continue
		}
		for field, value := range v {
			if field != "name" {
				s.fields.add(field, value)
			}
		}
	}
}

func union(a, b flatSettings) flatSettings {
	all := maps.Clone(a)
	maps.Copy(all, b)
	return all
}
