package metric

import (
	"fmt"
	"strings"
)

// MarkdownPage returns the reference page of all metrics in Markdown, which is docs/metrics.md.
func (c Catalog) MarkdownPage() string {
	var b strings.Builder
	b.WriteString(pageOpening)
	group, common := Group(0), Requirements(0)
	for i, d := range c {
		if d.Group != group {
			group = d.Group
			fmt.Fprintf(&b, "\n## %s\n\n", group)
			if common = c.common(group); common != 0 {
				fmt.Fprintf(&b, "Only if %s.\n\n", common)
			}
		}
		if d.Statistic != "" && i > 0 && c[i-1].Statistic != "" && c[i-1].family() == d.family() {
			continue // one line of the page for all five statistics of a time
		}
		fmt.Fprintf(&b, "- %s\n", d.entry(d.Requirements&^common))
	}
	return b.String()
}

const pageOpening = `# Metrics

Every run derives these metrics for each condition (suite, variant, fault). Gates, reports, CSV,
JSON and OpenTelemetry use the same names. In a family, capitals stand for a name: ` + "`route.f1.LABEL`" + `
is ` + "`route.f1.chat`" + ` for the label chat. In OpenTelemetry, a family is one metric with an attribute:
` + "`evalctl.route.f1`" + ` with ` + "`evalctl.label`" + `.

Each entry states the unit, the better direction, and what missing data does to a gate.

- share: from 0 to 1, written as a percentage. The denominator is the text after ", of".
- score: from 0 to 1. Signed score: from -1 to 1. Points: the difference of two shares.
- time: in reports with its unit; in CSV, JSON and gates without a unit in milliseconds.
- bounds: missing data fails a gate only if it could change the verdict.
- missing data fails: any missing data fails a gate. Allow some with ` + "`missing <= 2%`" + `.
- drop, ratio: a gate can compare the metric with a baseline, as in ` + "`drop(route.accuracy) <= 5pp`" + `.

ECE has no interval with fewer than 10 independent answers per bin. Counts and totals have none.

A score of your own scorer is a share with bounds.
`

// common returns the properties of a suite that all metrics of a group need.
func (c Catalog) common(g Group) Requirements {
	all := ^Requirements(0)
	for _, d := range c {
		if d.Group == g {
			all &= d.Requirements
		}
	}
	return all
}

func (d Def) family() string { return strings.TrimSuffix(d.Key, d.Statistic) }

// entry returns the line of the page for one metric. more are the properties that the metric needs
// in addition to those of its group.
func (d Def) entry(more Requirements) string {
	key := d.Key
	if set := d.Placeholder(); set != "" {
		key = strings.ReplaceAll(key, "{"+set+"}", strings.ToUpper(set))
	}
	name := "`" + key + "`"
	if d.Statistic != "" {
		name = "`" + strings.TrimSuffix(key, d.Statistic) + "p50`, `.p90`, `.p95`, `.p99`, `.mean`"
	}
	traits := []string{d.Unit.String()}
	if d.Direction != neither {
		traits = append(traits, map[Direction]string{higher: "higher is better", lower: "lower is better"}[d.Direction])
	}
	switch d.Missing {
	case Bounded:
		traits = append(traits, "bounds")
	case Unbounded:
		traits = append(traits, "missing data fails")
	}
	switch d.Comparison {
	case ByDrop:
		traits = append(traits, "drop")
	case ByRatio:
		traits = append(traits, "ratio")
	}
	text := strings.NewReplacer("{field}", "FIELD").Replace(d.Meaning)
	if more != 0 {
		text += " Only if " + more.String() + "."
	}
	return name + ": " + text + " (" + strings.Join(traits, ", ") + ")"
}

// String returns the name of the unit on the page.
func (u Unit) String() string {
	return [...]string{"", "share", "score", "points", "signed score", "part, may exceed 1", "number", "time",
		"US dollars", "count", "tokens", "unknown"}[u]
}

// String returns the properties in words, joined by "and".
func (n Requirements) String() string {
	var list []string
	for i, text := range []string{"the suite is a fault matrix", "cases run more than once",
		"the suite has an out-of-scope label",
		"cases list what is to be found", "all that is listed is to be found", "cases list facts",
		"a model grades the facts", "cases list what a session must still hold",
		"a part is a cache", "a part writes in a form", "the system has a critic", "cases label the path of decisions",
		"a model decides"} {
		if n&(1<<i) != 0 {
			list = append(list, text)
		}
	}
	return strings.Join(list, " and ")
}
