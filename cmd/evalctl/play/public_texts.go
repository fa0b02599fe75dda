package play

import (
	"fmt"
	"maps"
	"os"
	"slices"
	"strings"

	"evalctl/agent/system"
	"evalctl/eval/suggest"
	"evalctl/eval/suite"
)

// addSecrets registers secrets in the settings of suites, so that they are removed from output. If
// a suite runs commands, it also registers secrets in the environment, because commands inherit it.
// It returns notes for the user.
func (o EndpointOptions) addSecrets(suites []suite.Suite) (notes []string) {
	commands := slices.ContainsFunc(suites, func(s suite.Suite) bool { return len(s.Commands()) > 0 })
	if o.Secrets == nil {
		return nil
	}
	if commands {
		if plain := o.Secrets.AddEnvironment(os.Environ()); len(plain) > 0 {
			notes = append(notes, fmt.Sprintf(
				"%s: what the environment has there is a plain word, and no secret: files and reports have it wherever it is said", strings.Join(plain, ", ")))
		}
	}
	for _, s := range suites {
		for _, v := range s.Variants {
			for _, e := range s.SettingElements(v) {
				o.Secrets.AddFromText(e.Text)
			}
		}
	}
	return notes
}

// allowNames excludes labels, tags and names from redaction. Reports show metrics under these
// names, so the names must not depend on secrets in the environment. It returns notes for the user.
func (o EndpointOptions) allowNames(plans []suitePlan) (notes []string) {
	for _, one := range plans {
		public := slices.Concat([]string{one.suite.Name}, one.labels, one.data.Labels(),
			slices.Sorted(maps.Keys(one.data.Tags)))
		for _, v := range one.suite.Variants {
			public = append(public, v.Name)
		}
		if held := o.Secrets.RemovePublic(public); len(held) > 0 {
			notes = append(notes, fmt.Sprintf(
				"suite %s: %s among its labels, tags and names: what a key or a password holds besides is public there, and no secret of this run",
				one.suite.Name, suggest.JoinWords(held[:min(len(held), 3)])))
		}
	}
	return notes
}

func namesOf(labels []system.Label) (names []string) {
	for _, l := range labels {
		names = append(names, l.Name)
	}
	return names
}
