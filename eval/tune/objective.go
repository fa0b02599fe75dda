package tune

import (
	"errors"
	"fmt"
	"math"
	"slices"
	"strings"

	"evalctl/eval/metric"
	"evalctl/eval/suggest"
)

// channel is a quantity that is summed over cases at each threshold. The objectives are computed
// from its rate: its sum as a share of its maximum.
type channel int

const (
	trialsRight     channel = iota // right trials
	oosRight                       // right turns of those that accept only the out-of-scope label
	inScopeRight                   // right turns of those that do not accept the out-of-scope label
	inScopeRejected                // turns of the same that get the out-of-scope label
	labelsRight                    // right trials, as the mean over the expected labels
	costNanos                      // cost of trials in billionths of a dollar
	channels
)

// rates contains the rate of each channel at one threshold.
type rates struct {
	of       [channels]float64
	oosShare float64 // share of out-of-scope turns: of the data, or as expected in production
}

// measure is a figure that a threshold can be chosen by.
type measure struct {
	name          string // as in an objective
	aliases       []string
	title         string // as in a table
	lowerIsBetter bool
	dependsOnMix  bool                         // it depends on the share of out-of-scope turns
	test          significanceTest             // compares the measure at two thresholds
	channels      func(m mix) []channel        // channels that it is computed from
	value         func(r rates, m mix) float64 // NaN: undefined
}

// mix describes which classes the cases have.
type mix struct {
	hasOOS bool    // there is an out-of-scope label
	prior  float64 // expected share of out-of-scope turns; 0: that of the data
}

func only(ch channel) func(mix) []channel { return func(mix) []channel { return []channel{ch} } }

func rateOf(ch channel) func(rates, mix) float64 {
	return func(r rates, _ mix) float64 { return r.of[ch] }
}

// oosDecisions returns the channels that precision and F1 of the out-of-scope label depend on.
func oosDecisions(mix) []channel { return []channel{oosRight, inScopeRejected} }

// measures returns all measures. Precision is undefined at a threshold at which no turn gets the
// out-of-scope label. Such a threshold cannot be chosen.
func measures() []measure {
	return []measure{
		{name: "accuracy", aliases: []string{"route.accuracy"}, title: "accuracy", dependsOnMix: true,
			channels: func(m mix) []channel {
				if m.prior > 0 {
					return []channel{oosRight, inScopeRight}
				}
				return []channel{trialsRight}
			},
			value: func(r rates, m mix) float64 {
				if m.prior > 0 {
					return m.prior*r.of[oosRight] + (1-m.prior)*r.of[inScopeRight]
				}
				return r.of[trialsRight]
			}},
		{name: "balanced_accuracy", aliases: []string{"balanced"}, title: "balanced accuracy",
			channels: func(m mix) []channel {
				if m.hasOOS {
					return []channel{oosRight, inScopeRight}
				}
				return []channel{labelsRight}
			},
			value: func(r rates, m mix) float64 {
				if m.hasOOS {
					return (r.of[oosRight] + r.of[inScopeRight]) / 2
				}
				return r.of[labelsRight]
			}},
		{name: recallMeasure, title: "OOS recall", channels: only(oosRight), value: rateOf(oosRight)},
		{name: "oos.precision", title: "OOS precision", dependsOnMix: true, test: permutation, channels: oosDecisions,
			value: func(r rates, _ mix) float64 {
				hits := r.oosShare * r.of[oosRight]
				return hits / (hits + (1-r.oosShare)*r.of[inScopeRejected]) // 0/0 is NaN
			}},
		{name: "oos.f1", title: "OOS F1", dependsOnMix: true, test: influence, channels: oosDecisions,
			value: func(r rates, _ mix) float64 {
				hits := r.oosShare * r.of[oosRight]
				return orZero(2*hits, hits+(1-r.oosShare)*r.of[inScopeRejected]+r.oosShare)
			}},
		{name: inScopeMeasure, title: "in-scope accuracy", channels: only(inScopeRight),
			value: rateOf(inScopeRight)},
		{name: "oos.false_rejection", title: "OOS false rejection", lowerIsBetter: true,
			channels: only(inScopeRejected), value: rateOf(inScopeRejected)},
		{name: costMeasure, aliases: []string{"cost.usd_per_1000"}, title: "USD/1,000", lowerIsBetter: true,
			dependsOnMix: true, channels: only(costNanos),
			value: func(r rates, _ mix) float64 { return r.of[costNanos] / 1e6 }},
	}
}

// orZero returns a/b; 0 if b is 0.
func orZero(a, b float64) float64 {
	if b == 0 {
		return 0
	}
	return a / b
}

// usesOOS reports whether the measure requires an out-of-scope label.
func (m measure) usesOOS(in mix) bool {
	return slices.ContainsFunc(m.channels(in),
		func(ch channel) bool { return ch == oosRight || ch == inScopeRight || ch == inScopeRejected })
}

// IsCost reports whether the objective is a cost in US dollars per 1,000 trials and not a share.
func (o Objective) IsCost() bool { return o.name() == costMeasure }

// Names of measures that the package itself refers to.
const (
	costMeasure    = "cost"
	recallMeasure  = "oos.recall"
	inScopeMeasure = "oos.in_scope_accuracy"
)

// oriented returns the value so that higher is better; an undefined value is the worst.
func (m measure) oriented(v float64) float64 {
	switch {
	case math.IsNaN(v):
		return math.Inf(-1)
	case m.lowerIsBetter:
		return -v
	}
	return v
}

// ObjectiveValue is what a threshold is chosen by: a measure, and optionally a limit on another
// one. The zero value is accuracy.
type Objective struct {
	measure    measure
	limited    measure // measure that has a limit; without a name: none
	limit      float64
	limitWords string // the limit as it was written
}

// ObjectiveNames returns the names of all measures that an objective can contain.
func ObjectiveNames() (names []string) {
	for _, m := range measures() {
		names = append(names, m.name)
	}
	return names
}

const maxObjectiveBytes = 200

// ParseObjective parses an objective: MEASURE, or MEASURE at MEASURE >= LIMIT. A measure whose
// lower values are better has a limit with <= instead. A limit is a share such as 0.9 or 90%; that
// of cost is in US dollars per 1,000 trials. "-", "_", "." and spaces in names are equivalent, and
// the prefix "oos." may be omitted.
func ParseObjective(text string) (o Objective, err error) {
	if len(text) > maxObjectiveBytes {
		return o, fmt.Errorf("has %d bytes; at most %d are allowed", len(text), maxObjectiveBytes)
	}
	words := strings.Fields(text)
	at := slices.Index(words, "at")
	goal := words
	if at >= 0 {
		goal = words[:at]
	}
	if len(words) == 0 || len(goal) == 0 {
		return o, fmt.Errorf("requires a measure: %s", suggest.JoinWords(ObjectiveNames()))
	}
	name := strings.Join(goal, " ")
	if i := strings.IndexAny(name, "<>="); i >= 0 {
		return o, fmt.Errorf("%.60q limits the measure it maximizes: write MEASURE at MEASURE >= LIMIT, such as %s",
			name, objectiveExample)
	}
	if o.measure, err = measureNamed(name); err != nil || at < 0 {
		return o, err
	}
	return o, o.parseLimit(strings.Join(words[at+1:], " "))
}

const objectiveExample = "oos.recall at in_scope_accuracy >= 0.9"

func (o *Objective) parseLimit(text string) (err error) {
	i := strings.IndexAny(text, "<>=≥≤")
	if i < 0 {
		return fmt.Errorf("the limit after \"at\" is incomplete: write it as in %s", objectiveExample)
	}
	if o.limited, err = measureNamed(strings.TrimSpace(text[:i])); err != nil {
		return err
	}
	want := ">="
	if o.limited.lowerIsBetter {
		want = "<="
	}
	value, ok := strings.CutPrefix(text[i:], want)
	if !ok {
		better := "higher"
		if o.limited.lowerIsBetter {
			better = "lower"
		}
		return fmt.Errorf("a limit on %s requires %s, because %s values are better", o.limited.name, want, better)
	}
	if o.limited.name == o.measure.name {
		return fmt.Errorf("%s is both the measure and its limit: limit another one, as in %s", o.limited.name,
			objectiveExample)
	}
	o.limitWords = strings.TrimSpace(value)
	if o.limited.name == costMeasure {
		if o.limit, err = metric.ParseDecimal(o.limitWords); err == nil && !(o.limit >= 0) {
			err = errors.New("is negative")
		}
		if err != nil {
			return fmt.Errorf("limit %.40q of cost: %w; write US dollars per 1,000 trials, such as 1.5",
				o.limitWords, err)
		}
		return nil
	}
	if o.limit, err = metric.ParseShare(o.limitWords); err != nil {
		hint := ""
		if v, err := metric.ParseDecimal(o.limitWords); err == nil && v > 1 && v <= 100 {
			hint = fmt.Sprintf(", did you mean %s%%?", o.limitWords)
		}
		return fmt.Errorf("limit %.40q of %s is no share such as 0.9 or 90%%%s", o.limitWords, o.limited.name, hint)
	}
	return nil
}

// measureNamed returns the measure with a name. Separators in names are equivalent, and the prefix
// "oos." may be omitted.
func measureNamed(text string) (measure, error) {
	key := func(name string) string {
		return strings.NewReplacer("-", "_", ".", "_", " ", "_").Replace(strings.ToLower(name))
	}
	for _, prefix := range []string{"", "oos."} {
		for _, m := range measures() {
			for _, name := range append(m.aliases, m.name) {
				if key(name) == key(prefix+text) {
					return m, nil
				}
			}
		}
	}
	return measure{}, suggest.UnknownWordError("measure", text, ObjectiveNames())
}

func (o Objective) name() string {
	if o.measure.name == "" {
		return measures()[0].name
	}
	return o.measure.name
}

// Title returns the name of the measure for a table, such as "OOS recall".
func (o Objective) Title() string { return o.goal().title }

// goal returns the measure that is optimized.
func (o Objective) goal() measure {
	if o.measure.name == "" {
		return measures()[0]
	}
	return o.measure
}

// DependsOnOOSShare reports whether the measure depends on the share of out-of-scope messages.
func (o Objective) DependsOnOOSShare() bool { return o.goal().dependsOnMix }

// LimitTitle returns the name of the limited measure for a table; "": there is no limit.
func (o Objective) LimitTitle() string { return o.limited.title }

// String returns the objective as ParseObjective accepts it.
func (o Objective) String() string {
	if o.limited.name == "" {
		return o.name()
	}
	return o.name() + " at " + o.limitText()
}

func (o Objective) limitText() string {
	if o.limited.lowerIsBetter {
		return o.limited.name + " <= " + o.limitWords
	}
	return o.limited.name + " >= " + o.limitWords
}

// IsLimitedCost reports whether the limited measure is a cost in US dollars per 1,000 trials.
func (o Objective) IsLimitedCost() bool { return o.limited.name == costMeasure }

// FormatLimitedValue returns a value of the limited measure with its unit.
func (o Objective) FormatLimitedValue(v float64) string { return o.limited.format(v) }

// IsWithinLimit reports whether the value of the limited measure is within the limit.
func (o Objective) IsWithinLimit(v float64) bool {
	return o.limited.name == "" || o.limited.oriented(v) >= o.limited.oriented(o.limit)-1e-12
}

// measured returns the measures of the objective: the one to optimize, then the limited one.
func (o Objective) measured() []measure {
	if o.limited.name == "" {
		return []measure{o.goal()}
	}
	return []measure{o.goal(), o.limited}
}

// ParsePrior parses the share of out-of-scope messages that is expected in production, such as
// oos=18%. The name is oos or the out-of-scope label.
func ParsePrior(text string) (label string, share float64, err error) {
	const example = "write LABEL=SHARE, such as oos=18%"
	label, value, ok := strings.Cut(text, "=")
	label = strings.TrimSpace(label)
	if !ok || label == "" {
		return "", 0, fmt.Errorf("%.60q has no label: %s", text, example)
	}
	value = strings.TrimSpace(value)
	share, err = metric.ParseShare(value)
	switch {
	case err == nil && share > 0 && share < 1:
		return label, share, nil
	case err == nil:
		return "", 0, fmt.Errorf("%.40q leaves only one class: the share must be above 0 and below 100%%", value)
	}
	if v, err := metric.ParseDecimal(value); err == nil && v > 1 && v < 100 {
		return "", 0, fmt.Errorf("%.40q is no share, did you mean %s=%s%%?", value, label, value)
	}
	return "", 0, fmt.Errorf("%.40q is no share: %s", value, example)
}
