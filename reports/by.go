package reports

import (
	"fmt"
	"strings"

	"evalctl/eval/suggest"
)

// View selects one aspect of a run to be shown alone. ByTag may be followed by a colon and a tag
// prefix, as in "tag:lang".
type View string

const (
	ByClass      View = "class"      // precision, recall and F1 of each label
	ByTag        View = "tag"        // accuracy for each tag; tag:lang: for each language
	ByNode       View = "node"       // latency and errors of each node
	ByFault      View = "fault"      // outcomes of the cases under each fault
	ByLoop       View = "loop"       // rounds of the Critic loop
	ByCase       View = "case"       // the cases that are wrong most often
	ByConfidence View = "confidence" // calibration of the confidence values
)

// Views lists all views.
func Views() []View {
	return []View{ByClass, ByTag, ByNode, ByFault, ByLoop, ByCase, ByConfidence}
}

// ByLanguage groups cases by language.
const ByLanguage View = "tag:lang"

// ParseView returns the view with this name, or an error that suggests a similar one.
func ParseView(name string) (View, error) {
	kind, prefix, of := strings.Cut(name, ":")
	if err := suggest.CheckWord("view", View(kind), Views()); err != nil {
		return "", err
	}
	if of && (View(kind) != ByTag || prefix == "") {
		return "", fmt.Errorf("view %q: only tag has a part, as in tag:lang or tag:PREFIX", name)
	}
	return View(name), nil
}

// parts splits a view into its kind and the tag prefix.
func (v View) parts() (kind View, prefix string) {
	name, prefix, _ := strings.Cut(string(v), ":")
	return View(name), prefix
}
