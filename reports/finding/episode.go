package finding

import (
	"evalctl/eval"
	"evalctl/eval/number"
)

// episode says how the best variant goes where it is decided again and again: whether by
// the labelled path, in how many steps, and for how long.
func episode(s suite) *Sentence {
	best, ok := s.best()
	path, steps, duration := best.Metrics["path.exact"], best.Metrics["supervisor.steps_mean"], best.Metrics["episode.p95"]
	if !ok || !number.IsKnown(path.Value) || !number.IsKnown(steps.Value) {
		return nil
	}
	out := &Sentence{Kind: Episode}
	out.variants(best.Name)
	out.say(" follows the labeled path exactly in " + share(path) + "; " + number.Mean(*steps.Value) + " steps per episode (mean of " + number.Thousands(steps.N) + ")")
	if number.IsKnown(duration.Value) {
		out.say("; p95 " + number.Time(*duration.Value) + " per case")
	}
	return out
}

// best is the most accurate variant.
func (s suite) best() (eval.ConditionSummary, bool) {
	if ranked := Ranked(s.SuiteSummary); len(ranked) > 0 {
		return ranked[0], true
	}
	return eval.ConditionSummary{}, false
}

// correction says how often something else was done than the best variant's supervisor
// asked for, and what most often.
func correction(s suite) *Sentence {
	best, ok := s.best()
	e := best.Metrics["supervisor.correction_rate"]
	if n := Count(e); !ok || n < leastMistakes {
		return nil
	}
	out := &Sentence{Kind: Correction}
	out.say(Counts(e) + " decisions of ")
	out.variants(best.Name)
	out.say(" that name an agent are corrected")
	list := best.Corrections
	if len(list) == 0 || len(list) > 1 && list[0].N == list[1].N {
		return out
	}
	out.say(", " + number.Thousands(list[0].N) + " of them ")
	out.name(list[0].Proposed)
	out.say(" → ")
	out.name(list[0].Executed)
	return out
}

// batch says how many messages the best variant's replies to several answer, and how
// much longer these take than those to one.
func batch(s suite) *Sentence {
	best, ok := s.best()
	messages, several, one := best.Metrics["batch.messages_mean"], best.Metrics["latency.batch.p50"], best.Metrics["latency.single.p50"]
	if !ok || !number.IsKnown(messages.Value) || !number.IsKnown(several.Value) || !number.IsKnown(one.Value) || min(several.N, one.N) < few {
		return nil
	}
	out := &Sentence{Kind: Batch}
	out.variants(best.Name)
	out.say(" answers " + number.Thousands(messages.N) + " batches with " + number.Mean(*messages.Value) + " messages on average; reply p50 " +
		number.Time(*several.Value) + " after the last message of a batch, " + number.Time(*one.Value) + " after a single message")
	return out
}
