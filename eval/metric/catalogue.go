package metric

import (
	"cmp"
	"slices"
	"strings"
	"sync"
)

// Catalog is a list of metric definitions. It must not be modified.
type Catalog []Def

// BuiltIn returns the definitions of all metrics that evalctl computes.
func BuiltIn() Catalog { return slices.Clone(shipped()) }

var shipped = sync.OnceValue(func() Catalog {
	return slices.Concat(
		group(decisionsGroup, 0, decisions()),
		group(classesGroup, 0, classes()),
		group(outOfScopeGroup, OOSLabel, outsideScope()),
		group(fallbacksGroup, 0, fallbacks()),
		group(answersGroup, 0, answered()),
		group(RetrievalGroup, Retrieval, retrieved()),
		group(FactsGroup, Facts, facts()),
		group(cachesGroup, 0, caches()),
		group(SupervisorGroup, DecisionSequence, supervised()),
		group(CriticGroup, Critic, critics()),
		group(faultsGroup, FaultMatrix, faulted()),
		group(latenciesGroup, 0, latencies()),
		group(waitsGroup, 0, waiting()),
		group(costsGroup, 0, costs()),
		group(confidencesGroup, DecidingModel, confidences()),
		group(errorsGroup, 0, errored()),
		group(nodesGroup, 0, timedNodes()),
	)
})

// lookup is an index of the shipped catalog: single metrics by key, and families such as
// route.f1.{label}. Families with more fixed text come first, so that the most specific one
// matches.
var lookup = sync.OnceValue(func() (l struct {
	single   map[string]Def
	families []Def
	position map[string]int // of a definition in the catalog, by key
}) {
	l.single, l.position = map[string]Def{}, map[string]int{}
	for i, d := range shipped() {
		l.position[d.Key] = i
		if d.Placeholder() == "" {
			l.single[d.Key] = d
		} else {
			l.families = append(l.families, d)
		}
	}
	slices.SortStableFunc(l.families, func(a, b Def) int { return b.literal() - a.literal() })
	return l
})

func (d Def) literal() int {
	before, after := d.cut()
	return len(before) + len(after)
}

// ResolvedKey is a metric key with its definition.
type ResolvedKey struct {
	Def
	Name   string // the key, such as route.f1.chat
	Member string // member of the family, such as the label chat; "": a single metric
}

// Find returns the definition of a metric key. If several families match, the one with the most
// fixed text counts. ok is false for an unknown key.
func Find(key string) (ResolvedKey, bool) {
	l := lookup()
	if d, ok := l.single[key]; ok {
		return ResolvedKey{Def: d, Name: key}, true
	}
	for _, d := range l.families {
		if text, ok := d.member(key); ok {
			return ResolvedKey{Def: d, Name: key, Member: text}, true
		}
	}
	return ResolvedKey{}, false
}

// FindOrCustom is like Find, but treats an unknown key as the score of a custom scorer.
func FindOrCustom(key string) ResolvedKey {
	if n, ok := Find(key); ok {
		return n
	}
	return ResolvedKey{Def: CustomScoreDef(key, key, ""), Name: key}
}

// InOrder returns the metrics with these keys in the order of the catalog. Members of a family are
// sorted by name. Unknown keys are scores of custom scorers and come last.
func InOrder(keys []string) []ResolvedKey {
	position := lookup().position
	list := make([]ResolvedKey, len(keys))
	for i, key := range keys {
		list[i] = FindOrCustom(key)
	}
	at := func(r ResolvedKey) int {
		if i, ok := position[r.Key]; ok {
			return i
		}
		return len(position)
	}
	slices.SortFunc(list, func(a, b ResolvedKey) int {
		return cmp.Or(cmp.Compare(at(a), at(b)), cmp.Compare(a.Name, b.Name))
	})
	return list
}

// FamilyMembers contains the members of metric families by placeholder, such as the labels for
// {label}. The members of an absent placeholder are not known in advance.
type FamilyMembers map[string][]string

// Wildcard replaces the placeholder in the key of a family whose members are not known in advance.
const Wildcard = "*"

// KeysFor returns the keys of the metrics that a suite can have. has contains the properties of the
// suite. The members of families come from sets; a family with unknown members gets a Wildcard.
func (c Catalog) KeysFor(has Requirements, sets FamilyMembers) (keys []string) {
	for _, d := range c {
		if d.Requirements&^has != 0 {
			continue
		}
		set := d.Placeholder()
		if set == "" {
			keys = append(keys, d.Key)
			continue
		}
		members, known := sets[set]
		if !known {
			members = []string{Wildcard}
		}
		before, after := d.cut()
		for _, m := range members {
			keys = append(keys, before+m+after)
		}
	}
	return keys
}

// ComparedKeys returns the keys of the metrics that gates can compare with a baseline in the given
// way. A Wildcard replaces placeholders, and the statistics (p50 … mean) of a time.
func (c Catalog) ComparedKeys(how ComparisonMode) (keys []string) {
	for _, d := range c {
		if d.Comparison != how {
			continue
		}
		key := d.Key
		if d.Statistic != "" {
			key = strings.TrimSuffix(key, d.Statistic) + Wildcard
		}
		if set := d.Placeholder(); set != "" {
			key = strings.Replace(key, "{"+set+"}", Wildcard, 1)
		}
		if !slices.Contains(keys, key) {
			keys = append(keys, key)
		}
	}
	return keys
}

func decisions() []Def {
	return []Def{
		shareOf("route.accuracy", "accuracy",
			"Trials whose decision is right in every labeled turn, of trials that have a label.").show(always).drop(),
		shareOf("route.primary", "accuracy, first label",
			"Trials whose decision is the first label of every turn, of trials that have a label; present where a turn accepts several.").head("first label"),
		shareOf("unscored.rate", "unscored",
			"Trials without a scored decision, of trials that have a label.").lower().show(positive),
		shareOf("missing.rate", "no answer",
			"Trials that ended in an error, of all trials.").lower().missing(NeverMissing).show(positive),
		shareOf("route.pass_k", "right in all {epochs}",
			"Cases that are right in every epoch (pass^k), of cases that are scored in every epoch.").
			head("right in all {epochs}").needs(Epochs).rank(8),
		shareOf("route.consistency", "same answer twice",
			"Pairs of epochs that give the same answer, right or wrong, of all pairs of scored epochs of a case.").
			head("same twice").needs(Epochs),
		resampled("route.macro_f1", "macro-F1", "Mean F1 of the classes that the cases expect.").rank(4).drop(),
		shareOf("router.by.{source}", "decided by {source}",
			"Trials whose decision this source made, of trials with a decision.").head("by {source}").
			neither().show(positive),
		shareOf("router.answer_used", "model's answer used",
			"Decisions that are the model's, of decisions for which a model is called.").head("answer used").
			needs(DecidingModel),
		shareOf("router.answer_unused.{reason}", "answer not used: {reason}",
			"Decisions that do not use the model's answer for this reason, of decisions for which a model is called.").
			head("{reason}").lower().needs(DecidingModel),
		shareOf("router.decided_instead.{by}", "decided instead by {by}",
			"Decisions that this source makes in place of the model, of decisions for which a model is called.").
			head("by {by}").neither().needs(DecidingModel),
	}
}

func classes() []Def {
	return []Def{
		shareOf("route.recall.{label}", "recall of {label}",
			"Turns that get the label, of turns whose primary label it is.").head("recall").drop(),
		precisionOf("route.precision.{label}", "precision of {label}",
			"Turns that expect the label, of turns that get it.").head("precision"),
		resampled("route.f1.{label}", "F1 of {label}",
			"Harmonic mean of the label's precision and recall.").head("F1"),
	}
}

func outsideScope() []Def {
	return []Def{
		shareOf("oos.recall", "out-of-scope recall",
			"Turns that get the out-of-scope label, of turns that accept it alone.").head("OOS recall").rank(9),
		precisionOf("oos.precision", "out-of-scope precision",
			"Turns that accept the out-of-scope label, of turns that get it.").head("OOS precision"),
		shareOf("oos.false_acceptance", "false acceptance",
			"Turns that get another valid label, of turns that accept the out-of-scope label alone.").
			head("false accept").lower(),
		shareOf("oos.false_rejection", "false rejection",
			"Turns that get the out-of-scope label, of turns that do not accept it.").head("wrongly OOS").
			lower().rank(8),
		shareOf("oos.in_scope_accuracy", "accuracy in scope",
			"Turns with a right label, of turns that do not accept the out-of-scope label.").head("in scope"),
	}
}

func fallbacks() []Def {
	return []Def{
		shareOf("fallback.rate", "fell back",
			"Trials in which a part failed, found nothing or was unsure and something replaced it, of trials that ran.").
			neither().show(positive),
		shareOf("fallback.correct", "correct fallback",
			"Trials with the answer that the case expects under this fault, of trials that fell back and expect one.").
			head("correct"),
		shareOf("fallback.recovered", "recovered",
			"Trials that are answered without an error reply in any turn, of trials that fell back."),
		shareOf("answered_by.correct", "answered by the expected part",
			"Trials that were answered by the expected part, of trials whose case names it.").head("right part"),
		shareOf("error_reply.rate", "error replies",
			"Trials with an error reply in any turn, of trials with an answer.").lower().rank(5).show(positive),
		totalOf(Count, "error_reply.{code}", "error replies {code}",
			"Trials with an error reply with this code in any turn.").head("{code}"),
	}
}

func answered() []Def {
	return []Def{
		shareOf("{field}.accuracy", "{field}",
			"Trials whose further label {field} is right, of trials that expect one.").drop(),
		shareOf("slots.{slot}", "{slot}",
			"Trials whose slot holds an accepted value, of trials that expect one.").drop(),
		shareOf("slots.{slot}.false_hits", "{slot}, false",
			"Trials whose slot holds a value, of trials that expect it empty.").lower(),
		shareOf("form.conformity", "valid form",
			"Trials in which every answer has the required form, of trials with such an answer.").
			needs(RequiredForm).drop(),
		shareOf("form.conformity.{part}", "valid form of {part}",
			"Trials in which every answer of this part has the required form, of trials with such an answer.").
			head("form: {part}").needs(RequiredForm).drop(),
		shareOf("events.in_order", "events in order",
			"Trials in which every turn sends its events in the specified order, of trials that send events.").
			head("event order").drop(),
		meanShare("citations.valid", "valid citations",
			"Share of the sources cited in a trial's answers that the model was shown.").head("citations").drop(),
		shareOf("genui.conform", "GenUI valid",
			"Trials in which all components are valid against the schema, of trials that send components.").drop(),
	}
}

func retrieved() []Def {
	return slices.Concat([]Def{
		shareOf("retrieval.hit_rate", "hit rate",
			"Trials that find something that is expected, of trials that expect something.").head("hits").drop(),
		shareOf("retrieval.false_hits", "false hits",
			"Trials that find something, of trials that expect nothing.").lower(),
	}, each([]Def{
		meanShare("retrieval.recall_at_1", "recall@1", "Share of the expected items that is the first one found."),
		meanShare("retrieval.recall_at_5", "recall@5",
			"Share of the expected items that is among the first five found.").rank(7),
		meanShare("retrieval.recall_at_10", "recall@10",
			"Share of the expected items that is among the first ten found."),
		resampled("retrieval.mrr", "MRR",
			"One over the rank of the first expected item; 0 if none is found.").kind(Mean),
	}, func(d Def) Def { return d.needs(AllRequired).drop() }))
}

func facts() []Def {
	return slices.Concat([]Def{
		meanShare("facts.coverage", "facts stated",
			"Share of a case's facts that the answer states, in equivalent words.").head("facts").rank(8).drop(),
		meanShare("facts.verbatim", "facts stated verbatim",
			"Share of a case's facts that the answer states word for word.").head("verbatim").drop(),
	}, each([]Def{
		meanShare("facts.graded", "facts stated, graded by a model",
			"Share of a case's facts that a model finds in the answer.").head("graded").drop(),
		shareOf("facts.grader_agreement", "grader agrees with words",
			"Facts on which the grader and the word comparison agree, of all graded facts.").head("grader agrees"),
		def(SignedScore, Resampled, higher, Unbounded, "facts.grader_kappa", "grader κ",
			"Cohen's κ of the grader and the word comparison, from -1 to 1.").head("κ"),
		totalOf(Count, "facts.grader.calls", "grading calls", "Calls of the grader, all trials."),
		totalOf(Tokens, "facts.grader.tokens", "grading tokens", "Tokens of the grader, all trials."),
		totalOf(USD, "facts.grader.cost", "grading USD", "Cost of the grader, all trials."),
	}, func(d Def) Def { return d.needs(Grader) }))
}

func caches() []Def {
	return []Def{
		meanShare("compression.facts_kept", "facts kept",
			"Share of the facts of earlier turns that a compressed session still holds.").head("kept").
			needs(Sessions).rank(5).drop(),
		def(PartOfWhole, Mean, lower, Unbounded, "compression.ratio", "history left",
			"Tokens left of a session's history after compression, as a part of those before; above 1 if it grew.").
			needs(Sessions),
		shareOf("cache.hit_rate", "cache hits",
			"Cache lookups that hit, of all cache lookups.").needs(Caching).rank(4),
		averageOf("cache.calls_saved", "calls saved", "Cache hits of a trial.").higher().needs(Caching),
		countOf("cache.errors", "cache errors",
			"Cache lookups and writes that failed, all trials.").needs(Caching).show(positive),
		shareOf("cached.rate", "from the response cache",
			"Model calls that --cache answered, of all model calls.").head("cached").neither(),
	}
}

func supervised() []Def {
	return []Def{
		shareOf("path.exact", "path exact",
			"Trials that take exactly the labeled path in every labeled turn, of trials with a labeled path.").
			rank(8).drop(),
		shareOf("supervisor.correction_rate", "corrected",
			"Decisions that are replaced, of decisions that name an agent.").lower().rank(7),
		shareOf("supervisor.correction_rate.{reason}", "corrected: {reason}",
			"Decisions that are replaced for this reason, of decisions that name an agent.").head("{reason}").lower().
			show(hidden),
		shareOf("supervisor.called_again_rate", "called again",
			"Decisions for which the model is called again, of all decisions.").lower(),
		shareOf("supervisor.called_again_rate.{reason}", "called again: {reason}",
			"Decisions for which the model is called again for this reason, of all decisions.").
			head("{reason}").lower(),
		shareOf("supervisor.exhausted_rate", "exhausted",
			"Episodes that end at the step limit, of all episodes.").lower().rank(6),
		averageOf("supervisor.steps_mean", "steps", "Steps of an episode."),
	}
}

func critics() []Def {
	return []Def{
		shareOf("critic.first_attempt_good", "first attempt good",
			"Turns whose first attempt is labeled good, of turns whose attempts have a label.").head("first good"),
		shareOf("critic.delivered_good", "delivered good",
			"Turns whose delivered attempt is labeled good, of turns whose attempts have a label.").rank(9),
		def(Points, Mean, higher, Unbounded, "critic.good_gain", "gain of delivered good",
			"Delivered good minus first attempt good, mean over cases with equal weights.").head("mean gain"),
		shareOf("critic.false_accept", "false accept",
			"Attempts that the critic passes, of attempts labeled bad.").lower().rank(8),
		shareOf("critic.false_reject", "false reject",
			"Attempts that the critic rejects, of attempts labeled good.").lower(),
		shareOf("critic.pass_rate", "passed in the end",
			"Turns whose last attempt passes, of turns with a critic.").head("passed"),
		shareOf("critic.exhausted_rate", "loop exhausted",
			"Turns that reach the loop limit without a pass, of turns with a critic.").head("exhausted").lower(),
		shareOf("critic.oscillation_rate", "oscillating",
			"Turns whose score falls and rises, of turns with three rounds or more.").lower(),
		averageOf("critic.loops_mean", "loops", "Rounds of a turn."),
		def(SignedScore, Mean, higher, Unbounded, "critic.gain_per_loop", "gain per loop",
			"Score of the second attempt minus a second judgment of the first: without regression to the mean.").
			head("net gain"),
		def(SignedScore, Mean, higher, Unbounded, "critic.raw_gain_per_loop", "raw gain per loop",
			"Score of the second attempt minus the first: includes regression to the mean.").head("raw gain"),
		totalOf(Count, "critic.second.calls", "second-judgment calls",
			"Calls for second judgments, all trials.").head("2nd calls"),
		totalOf(Tokens, "critic.second.tokens", "second-judgment tokens",
			"Tokens of second judgments, all trials.").head("2nd tokens"),
		totalOf(USD, "critic.second.cost", "second-judgment USD",
			"Cost of second judgments, all trials.").head("2nd USD"),
	}
}

func faulted() []Def {
	return []Def{
		shareOf("fault.affected", "affected", "Trials in which the fault is triggered, of trials that ran.").neither(),
		shareOf("fault.correct", "expected outcome",
			"Trials that end as the case or the suite expects, of affected trials with an expected outcome.").
			head("as expected"),
		shareOf("fault.recovered", "answered",
			"Trials that are answered without an error reply in any turn, of affected trials."),
		shareOf("fault.misrouted", "misrouted",
			"Trials that an unexpected route answers, but not without the fault, of affected trials with a label.").lower(),
		shareOf("fault.unspecified", "no expectation",
			"Trials for which no outcome is specified, of affected trials.").lower().show(positive),
		def(Time, Quantile, lower, Unbounded, "fault.added_p95", "added p95",
			"p95 of affected trials minus p95 of the same trials without the fault."),
		averageOf("fault.added_calls", "added calls", "Calls that the fault adds to a trial."),
		averageOf("fault.added_tokens", "added tokens", "Tokens that the fault adds to a trial."),
	}
}

func latencies() []Def {
	list := slices.Concat(
		each(timesOf("latency.{stat}", "latency {stat}", "Time of an answered turn."),
			func(d Def) Def { return d.head(d.Statistic).ratio() }),
		each(timesOf("ttft.{stat}", "first text {stat}", "Time until the first text of an answered turn."),
			func(d Def) Def { return d.head("1st text " + d.Statistic).ratio() }),
		each(timesOf("episode.{stat}", "whole trial {stat}", "Time of a trial whose turns are all answered."),
			func(d Def) Def { return d.head("trial " + d.Statistic).ratio() }),
		each(timesOf("latency.error_reply.{stat}", "error reply {stat}", "Time of a turn that ends in an error reply."),
			func(d Def) Def { return d.head("error " + d.Statistic) }),
		each(timesOf("latency.batch.{stat}", "batched reply {stat}",
			"Time from the last message of a batch to its answer."),
			func(d Def) Def { return d.head("batch " + d.Statistic) }),
		each(timesOf("latency.single.{stat}", "single reply {stat}",
			"Time of a reply to one message, in a run that also has batches."),
			func(d Def) Def { return d.head("single " + d.Statistic) }),
		[]Def{averageOf("batch.messages_mean", "messages per batch",
			"Messages that one reply answers, of replies to several.").head("messages").neither()},
	)
	ranks := map[string]int{"latency.p50": 6, "latency.p95": 10, "ttft.p50": 2}
	return each(list, func(d Def) Def { return d.rank(ranks[d.Key]) })
}

func waiting() []Def {
	longest := func(key, label, meaning string) Def { return def(Time, Maximum, lower, Unbounded, key, label, meaning) }
	return each(slices.Concat(
		timesOf("queue.{stat}", "queued {stat}",
			"Wait of a trial's calls for room within --rpm and similar limits; no part of a latency."),
		[]Def{longest("queue.max", "queued, most",
			"Longest wait of a trial for room within --rpm and similar limits.")},
		timesOf("backoff.{stat}", "back-off {stat}",
			"Wait of a trial's calls between attempts; part of its latency."),
		[]Def{
			longest("backoff.max", "back-off, most", "Longest wait of a trial between attempts."),
			countOf("calls.rate_limited", "rate-limited requests",
				"Requests that an endpoint refused because of a rate limit, all trials.").head("rate-limited").
				rank(3).show(positive),
			countOf("calls.retried", "retried requests",
				"Requests that failed and were sent again, all trials.").head("retried").show(positive),
		},
	), func(d Def) Def {
		if d.Key == "queue.p95" {
			return d.rank(3)
		}
		return d
	})
}

func costs() []Def {
	perTrial := func(u Unit, key, label, meaning string) Def {
		return def(u, Mean, lower, Unbounded, key, label, meaning).ratio()
	}
	return []Def{
		averageOf("calls.mean", "calls", "Model calls of a trial.").rank(3).ratio(),
		def(Count, Maximum, neither, Unbounded, "calls.peak", "calls at once",
			"Most model calls that any turn had open at once.").head("at once").show(aboveOne),
		averageOf("calls.peak_mean", "calls at once, mean",
			"Mean over trials of the most calls open at once.").head("at once, mean").neither().show(aboveOne),
		perTrial(Tokens, "tokens.in_mean", "tokens in", "Input tokens of a trial; one that failed without usage is missing."),
		perTrial(Tokens, "tokens.out_mean", "tokens out",
			"Output tokens of a trial; one that failed without usage is missing."),
		totalOf(Tokens, "tokens.in_total", "tokens in, total",
			"Input tokens of all trials.").head("all tokens in").ratio(),
		totalOf(Tokens, "tokens.out_total", "tokens out, total", "Output tokens of all trials.").
			head("all tokens out").ratio(),
		perTrial(USD, "cost.usd_per_1000", "USD per 1,000 cases",
			"Cost of 1,000 cases at the mean cost of a trial; one without a price, or that failed without usage, is missing.").
			head("USD/1,000").rank(7),
		totalOf(USD, "cost.total_usd", "USD, total",
			"Cost of all trials; absent if a trial has no price.").head("USD").ratio(),
	}
}

func confidences() []Def {
	return []Def{
		resampled("confidence.ece", "ECE",
			"Expected calibration error of the deciding model, ten bins of equally many answers.").lower(),
		resampled("confidence.brier", "Brier score",
			"Mean squared difference of confidence and correctness.").head("Brier").lower(),
		resampled("confidence.auroc", "AUROC",
			"Probability that a right answer has the higher confidence than a wrong one."),
	}
}

func errored() []Def {
	return []Def{countOf("errors.{kind}", "{kind} errors", "Trials that ended in an error of this kind.").
		head("{kind}").show(positive)}
}

func timedNodes() []Def {
	return slices.Concat(
		[]Def{countOf("node.{node}.calls", "calls of {node}", "Calls of the node, all trials, failed ones included.").
			head("calls")},
		each(timesOf("node.{node}.{stat}", "{node} {stat}", "Time of one answered call of the node."),
			func(d Def) Def { return d.head(d.Statistic) }),
		each(timesOf("step.{node}.{stat}", "step {node} {stat}",
			"Time from a visit's first call to the end of its last."),
			func(d Def) Def { return d.head(d.Statistic) }),
	)
}

// renamedMetrics maps old metric names to new ones. A name that ends with a dot is the prefix of a
// family.
var renamedMetrics = []struct{ old, key string }{
	{"unjudged.rate", "unscored.rate"},
	{"served.correct", "answered_by.correct"},
	{"apology.", "error_reply."},
	{"latency.apology.", "latency.error_reply."},
	{"supervisor.asked_again_rate", "supervisor.called_again_rate"},
	{"fault.struck", "fault.affected"},
	{"fault.untold", "fault.unspecified"},
	{"calls.refused", "calls.rate_limited"},
	{"tokens.in", "tokens.in_total"},
	{"tokens.out", "tokens.out_total"},
	{"cost.usd", "cost.total_usd"},
}

// CurrentKey returns the new name of a metric that was renamed. ok is false if old is not an old
// name.
func CurrentKey(old string) (key string, ok bool) {
	if _, known := Find(old); known {
		return "", false
	}
	for _, f := range renamedMetrics {
		if rest, is := strings.CutPrefix(old, f.old); is &&
			(rest == "" || strings.HasSuffix(f.old, ".") || rest[0] == '.') {
			return f.key + rest, true
		}
	}
	return "", false
}
