package reports

import (
	"fmt"
	"strings"

	"evalctl/eval/suggest"
)

// View selects one aspect of a run, such as its classes, to be reported alone. ByTag accepts a tag
// prefix after a colon: "tag:lang" selects the tags that start with "lang".
type View string

const (
	ByClass      View = "class"      // precision, recall and F1 of each label
	ByTag        View = "tag"        // accuracy for each tag; "tag:lang" selects the language tags
	ByNode       View = "node"       // latency and errors of each node (a named part of an agent)
	ByFault      View = "fault"      // results of the cases under each injected fault
	ByLoop       View = "loop"       // results of each attempt in a Critic loop
	ByCase       View = "case"       // the cases that are wrong most often
	ByConfidence View = "confidence" // how well the confidence values match the accuracy
)

// Views lists the views that a user can select by name.
func Views() []View {
	return []View{ByClass, ByTag, ByNode, ByFault, ByLoop, ByCase, ByConfidence}
}

// ByLanguage shows the accuracy for each language tag; it is [ByTag] with the prefix "lang".
const ByLanguage View = "tag:lang"

// ParseView converts a name such as "class" or "tag:lang" to a View. For an unknown name, the error
// suggests a similar one.
func ParseView(name string) (View, error) {
	kind, prefix, of := strings.Cut(name, ":")
	if err := suggest.CheckKnown("view", View(kind), Views()); err != nil {
		return "", err
	}
	if of && (View(kind) != ByTag || prefix == "") {
		return "", fmt.Errorf("view %q: only tag has a part, as in tag:lang or tag:PREFIX", name)
	}
	return View(name), nil
}

// parts splits a view such as "tag:lang" at the colon, here into "tag" and "lang". The prefix is ""
// if there is no colon.
func (v View) parts() (kind View, prefix string) {
	name, prefix, _ := strings.Cut(string(v), ":")
	return View(name), prefix
}
