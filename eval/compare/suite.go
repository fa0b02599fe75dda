package compare

import (
	"cmp"
	"maps"
	"math"
	"slices"

	"evalctl/eval"
)

// maxAllPairs is the maximum number of variants of a suite for which every pair is compared. With
// more variants, most pairs are compared only with the baseline variant.
const maxAllPairs = 16

// condition is one variant under one fault.
type condition struct{ variant, fault string }

func conditionOf(r eval.Result) condition {
	return condition{variant: r.Variant, fault: cmp.Or(r.Fault, eval.NoFault)}
}

// SuiteComparison compares the variants of a suite while a run is in progress, case by case. Its
// memory is bounded for any number of cases.
type SuiteComparison struct {
	baselineVariant string
	baselineModels  map[string]bool // whether each variant is a baseline model
	conditions      []condition
	pairs           []*conditionPair
	faultOutcomes   []*eval.FaultOutcome
	tags            map[string]bool // tags of all cases so far
}

// maxTags is the maximum number of different tags by which variants are compared. With more tags,
// none is compared, because memory would grow with the number of cases.
const maxTags = 200

// conditionPair compares two variants under the same fault.
type conditionPair struct {
	pair
	a, b   condition
	ratios *ratios          // ratios of cost and latency; nil: not compared
	scores scoreDifferences // differences of retrieval scores; nil: not compared
	tags   map[string]*pair
}

func (p *conditionPair) addTags(tags []string, was, is tally) {
	for _, tag := range tags {
		if p.tags == nil {
			p.tags = map[string]*pair{}
		}
		if p.tags[tag] == nil {
			p.tags[tag] = &pair{accuracyOnly: true}
		}
		p.tags[tag].add(was, is)
	}
}

// significantTags returns the tags over whose cases the two variants differ significantly.
func (p *conditionPair) significantTags() []eval.TagDifference {
	var list []Breakdown
	var family []familyMember
	for _, tag := range slices.Sorted(maps.Keys(p.tags)) {
		list = append(list, Breakdown{Name: tag, Difference: p.tags[tag].Difference()})
	}
	for i := range list {
		family = append(family, familyMember{of: &list[i].Difference, by: p.tags[list[i].Name]})
	}
	testFamily(family)
	return significantBreakdowns(list)
}

// removeRedundantTags removes the tags whose comparison state equals that of all cases, because
// they add no information.
func removeRedundantTags(d *eval.Difference) {
	var list []eval.TagDifference
	for _, t := range d.SignificantTags {
		if t.State != d.State && d.State != eval.InsufficientData {
			list = append(list, t)
		}
	}
	d.SignificantTags = list
}

// significantBreakdowns returns the classes or tags that differ significantly, the largest
// difference first.
func significantBreakdowns(parts []Breakdown) (list []eval.TagDifference) {
	for _, p := range parts {
		if p.State == eval.Better || p.State == eval.Worse {
			list = append(list, eval.TagDifference{
				Tag:        p.Name,
				State:      p.State,
				Cases:      p.Cases,
				Accuracy:   p.Accuracy,
				FamilySize: p.FamilySize,
			})
		}
	}
	slices.SortFunc(list, func(a, b eval.TagDifference) int {
		return cmp.Or(cmp.Compare(math.Abs(*b.Accuracy.Value), math.Abs(*a.Accuracy.Value)), cmp.Compare(a.Tag, b.Tag))
	})
	return list
}

// NewSuiteComparison prepares the comparison of all variants with the baseline variant under each
// fault, and of all pairs of variants without a fault. With more than 16 variants it omits the
// ratios, and of the other pairs it compares only those of a baseline model.
func NewSuiteComparison(s eval.SuiteSummary) *SuiteComparison {
	c := &SuiteComparison{baselineVariant: s.BaselineVariant, baselineModels: map[string]bool{},
		tags: map[string]bool{}}
	var plain []string
	for _, v := range s.Conditions {
		one := condition{variant: v.Variant, fault: cmp.Or(v.Fault, eval.NoFault)}
		c.conditions = append(c.conditions, one)
		if one.fault == eval.NoFault {
			plain = append(plain, v.Variant)
			c.baselineModels[v.Variant] = v.BaselineModel
		}
	}
	if c.baselineVariant == "" && len(c.conditions) > 0 {
		c.baselineVariant = c.conditions[0].variant
	}
	c.pairWithBaseline(len(plain) <= maxAllPairs)
	c.pairOthers(plain, len(plain) <= maxAllPairs)
	c.addFaultOutcomes()
	return c
}

func (c *SuiteComparison) pairWithBaseline(withRatios bool) {
	known := map[condition]bool{}
	for _, one := range c.conditions {
		known[one] = true
	}
	for _, b := range c.conditions {
		a := condition{variant: c.baselineVariant, fault: b.fault}
		if b.variant == c.baselineVariant || !known[a] {
			continue
		}
		p := &conditionPair{a: a, b: b}
		if withRatios && b.fault == eval.NoFault {
			p.ratios, p.scores = &ratios{}, scoreDifferences{}
		}
		c.pairs = append(c.pairs, p)
	}
}

// pairOthers creates the pairs that do not contain the baseline variant. A ranking requires them.
// Unless all is set, it creates only the pairs of a baseline model with another variant.
func (c *SuiteComparison) pairOthers(variants []string, all bool) {
	for i, a := range variants {
		for _, b := range variants[i+1:] {
			if a != c.baselineVariant && b != c.baselineVariant && (all || c.baselineModels[a] != c.baselineModels[b]) {
				c.pairs = append(c.pairs,
					&conditionPair{a: condition{a, eval.NoFault}, b: condition{b, eval.NoFault},
						scores: scoreDifferences{}})
			}
		}
	}
}

func (c *SuiteComparison) addFaultOutcomes() {
	for _, one := range c.conditions {
		if one.fault != eval.NoFault {
			c.faultOutcomes = append(c.faultOutcomes, &eval.FaultOutcome{Variant: one.variant, Fault: one.fault})
		}
	}
}

// Add adds a case: all its results in all conditions, in any order.
func (c *SuiteComparison) Add(rows []eval.Result) {
	if len(c.pairs)+len(c.faultOutcomes) == 0 {
		return
	}
	by, tallies := map[condition][]eval.Result{}, map[condition]tally{}
	for _, r := range rows {
		by[conditionOf(r)] = append(by[conditionOf(r)], r)
	}
	for of, rows := range by {
		tallies[of] = tallyCases(rows)
	}
	tags := c.tagsOf(rows)
	for _, p := range c.pairs {
		p.add(tallies[p.a], tallies[p.b])
		if p.a.fault == eval.NoFault {
			p.addTags(tags, tallies[p.a], tallies[p.b])
		}
		if p.ratios != nil {
			p.ratios.add(by[p.a], by[p.b])
		}
		if p.scores != nil {
			p.scores.add(by[p.a], by[p.b])
		}
	}
	for _, f := range c.faultOutcomes {
		before := by[condition{variant: f.Variant, fault: eval.NoFault}]
		for _, now := range by[condition{variant: f.Variant, fault: f.Fault}] {
			for _, b := range before {
				if b.Epoch == now.Epoch {
					count(f, TrialStateOf(b), TrialStateOf(now))
				}
			}
		}
	}
}

// tagsOf returns the tags of a case, each once; nil if the suite has too many tags.
func (c *SuiteComparison) tagsOf(rows []eval.Result) []string {
	tags := slices.Compact(slices.Sorted(slices.Values(rows[0].Tags)))
	for _, tag := range tags {
		if len(c.tags) <= maxTags {
			c.tags[tag] = true
		}
	}
	if len(c.tags) > maxTags {
		for _, p := range c.pairs {
			p.tags = nil
		}
		return nil
	}
	return tags
}

// AddToSummary writes the differences and fault outcomes to the suite's summary. It tests
// significance in three families:
//
// - comparisons with a baseline model, which do not depend on the baseline variant
// - the other comparisons with the baseline variant
// - all other comparisons
func (c *SuiteComparison) AddToSummary(into *eval.SuiteSummary) {
	into.Differences, into.FaultOutcomes = nil, nil
	if len(c.pairs) > 0 {
		into.BaselineVariant = c.baselineVariant
	}
	for _, p := range c.pairs {
		d := p.Difference()
		d.Variant = p.b.variant
		d.ComparedWith = p.a.variant
		d.Fault = p.b.fault
		if p.ratios != nil {
			d.Ratios = p.ratios.contrasts()
			p.ratios.addTimes(d.Ratios, metricsOf(into, p.a), metricsOf(into, p.b))
		}
		d.Metrics = p.scores.contrasts()
		d.SignificantTags = p.significantTags()
		if d.Cases > 0 {
			by := p.accuracy.IndependentDiscordance()
			d.IndependentDiscordance = &eval.Discordance{DifferingCases: by.DifferingCases,
				MeanSquare: by.SumSquaredDifferences / float64(by.Cases)}
		}
		into.Differences = append(into.Differences, d)
	}
	families := map[family][]familyMember{}
	for i, p := range c.pairs {
		of := c.familyOf(p)
		families[of] = append(families[of], familyMember{of: &into.Differences[i], by: &p.pair})
	}
	for _, list := range families {
		testFamily(list)
	}
	for i := range into.Differences {
		removeRedundantTags(&into.Differences[i])
	}
	for _, f := range c.faultOutcomes {
		into.FaultOutcomes = append(into.FaultOutcomes, *f)
	}
}

// family is a group of differences whose significance is tested together, with one Holm adjustment.
type family int

const (
	baselineModelFamily family = iota
	baselineVariantFamily
	otherPairsFamily
)

func (c *SuiteComparison) familyOf(p *conditionPair) family {
	switch {
	case p.b.fault == eval.NoFault && c.baselineModels[p.a.variant] != c.baselineModels[p.b.variant]:
		return baselineModelFamily
	case p.a.variant == c.baselineVariant:
		return baselineVariantFamily
	}
	return otherPairsFamily
}

func metricsOf(s *eval.SuiteSummary, of condition) func(string) eval.Estimate {
	for _, v := range s.Conditions {
		if v.Variant == of.variant && cmp.Or(v.Fault, eval.NoFault) == of.fault {
			return func(name string) eval.Estimate { return v.Metrics[name] }
		}
	}
	return func(string) eval.Estimate { return eval.Estimate{} }
}
