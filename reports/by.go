package reports

import (
	"fmt"
	"strings"

	"evalctl/eval/suggest"
)

// View is one side of a run, looked at alone; ByTag may be followed by a colon and what
// the tags begin with.
type View string

const (
	ByClass      View = "class"      // how labels fare
	ByTag        View = "tag"        // the cases of a tag; tag:lang: of a language
	ByNode       View = "node"       // where time goes
	ByFault      View = "fault"      // what becomes of cases under it
	ByLoop       View = "loop"       // the critic's rounds
	ByCase       View = "case"       // which are missed most often
	ByConfidence View = "confidence" // how far that of the deciding models can be believed
)

// Views lists all of them.
func Views() []View {
	return []View{ByClass, ByTag, ByNode, ByFault, ByLoop, ByCase, ByConfidence}
}

// ByLanguage are the languages of the cases, in place of their tags.
const ByLanguage View = "tag:lang"

// ParseView finds a view by its name.
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

// parts are a view's kind, and what tags are to begin with.
func (v View) parts() (kind View, prefix string) {
	name, prefix, _ := strings.Cut(string(v), ":")
	return View(name), prefix
}
