package reports

import "evalctl/eval/suggest"

// View is one side of a run, looked at alone.
type View string

// ByConfidence is how far the confidence of the deciding models can be believed.
const ByConfidence View = "confidence"

// Views lists all of them.
func Views() []View { return []View{ByConfidence} }

// ParseView finds a view by its name.
func ParseView(name string) (View, error) {
	return View(name), suggest.Known("view", View(name), Views())
}
