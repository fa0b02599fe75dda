package backend

import (
	"iter"

	"evalctl/agent/system"
	"evalctl/eval"
)

// wording finds texts with misleading words: texts whose label differs from the system's heuristic
// decision. Simulated models get these texts wrong most often. Models and word rules then err on
// the same texts, as they do in reality.
type wording struct {
	guess  func(text string) system.Decision
	counts map[kindOfText]counts
}

// kindOfText is a group of texts with the same split and label. Within each group the mean accuracy
// of a simulated model is the configured one.
type kindOfText struct{ split, label string }

type counts struct{ texts, misleading int64 }

// wordingOf counts, for all labeled turns of the cases, how often the heuristic is wrong.
func wordingOf(cases iter.Seq2[eval.Case, error], guess func(string) system.Decision, field string) (*wording, error) {
	w := &wording{guess: guess, counts: map[kindOfText]counts{}}
	for c, err := range cases {
		if err != nil {
			return nil, err
		}
		for _, step := range c.Turns {
			want, err := step.Labels(field)
			if err != nil || len(want) == 0 { // the scorer reports an error in the expectations
				continue
			}
			kind := kindOfText{c.Split, want.Primary()}
			n := w.counts[kind]
			n.texts++
			if w.isMisleading(step.Text, want) {
				n.misleading++
			}
			w.counts[kind] = n
		}
	}
	return w, nil
}

func (w *wording) isMisleading(text string, want eval.OneOf) bool {
	return !want.Has(w.guess(text).Label)
}

// misled reports whether a text is misleading. share is the share of misleading texts among those
// with the same split and label.
func (w *wording) misled(text string, want eval.OneOf, split string) (misled bool, share float64) {
	n := w.counts[kindOfText{split, want.Primary()}]
	return w.isMisleading(text, want), float64(n.misleading) / float64(max(n.texts, 1))
}

// hasDifficulty reports whether any variant has a simulated decider whose errors depend on the
// difficulty of a case.
func (b *Backend) hasDifficulty() bool {
	decider := b.labels.system.DecidingComponent().Name
	if b.abilities[decider].difficulty == 0 || b.scripts[decider] != nil {
		return false
	}
	for _, v := range b.suite.Variants {
		if b.suite.UsesComponent(v, decider) && !b.suite.UsesRealEndpoint(v, decider) &&
			!b.suite.UsesBaselineModel(v, decider) {
			return true
		}
	}
	return false
}
