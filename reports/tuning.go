package reports

import (
	"io"
	"strconv"

	"evalctl/eval"
	"evalctl/eval/metric"
	"evalctl/eval/tune"
	"evalctl/reports/document"
)

// TuningReport is the report of `evalctl tune`: the confidence threshold that was selected for each
// variant of a run.
type TuningReport struct {
	Setting  string         `json:"setting"`           // name of the tuned setting, such as threshold
	Partial  bool           `json:"partial,omitempty"` // the run was interrupted
	Notes    []string       `json:"notes,omitempty"`   // notes on variants that were not tuned
	Variants []TunedVariant `json:"tunings"`

	document.Options
}

// TunedVariant is a variant with its selected confidence threshold.
type TunedVariant struct {
	Suite        string   `json:"suite"`
	Dataset      string   `json:"dataset,omitempty"`
	Split        string   `json:"split,omitempty"`         // split of the dataset, such as dev; "": all cases
	DecisionOnly bool     `json:"decision_only,omitempty"` // the trials stopped after the decision
	Variant      string   `json:"variant"`
	Fault        string   `json:"fault"`
	Notes        []string `json:"notes,omitempty"` // reasons why the selected threshold is less reliable

	tune.Tuning

	NextCommands [][]string `json:"-"` // suggested commands: run with the selected threshold, or tune on other cases
}

// Write renders the thresholds in the given format.
func (t TuningReport) Write(w io.Writer, format Format) error {
	return screen{noun: "tuning", width: defaultWidth, layOut: t.document}.write(w, format, t.Options)
}

func (t TuningReport) headLines() (list []document.Line) {
	if t.Partial {
		list = append(list, partialText(eval.Summary{}, "this report"))
	}
	for _, n := range t.Notes {
		list = append(list, document.Line{Mark: "·", Text: clean(n)})
	}
	return list
}

func (t TuningReport) document(to document.Target) document.Document {
	first := document.Block{Lines: t.headLines()}
	if !to.Terminal {
		first.Level, first.Heading = 1, "evalctl tune"
	}
	d := document.Document{
		Source:  "evalctl tune",
		Partial: t.Partial,
		Data:    t,
		Rows:    t.rows(),
	}
	if !first.Empty() {
		d.Blocks = append(d.Blocks, first)
	}
	for _, one := range t.Variants {
		d.Blocks = append(d.Blocks, document.Block{
			Level:   2,
			Heading: one.title(t.Setting),
			Lines:   one.sentences(t.Setting),
			Table:   one.table(one.pointsToShow()),
			Next:    document.Suggestions("> ", one.NextCommands...),
		})
	}
	return d
}

func (one TunedVariant) title(setting string) string {
	text := one.Suite + " · " + one.Variant + " · " + setting + " · " + plural(one.Cases, "case")
	if one.Split != "" {
		text += " of " + one.Split
	}
	if one.Trials > one.Cases {
		text += ", " + plural(one.Trials, "trial")
	}
	if goal := one.goal(); goal.String() != (tune.Objective{}).String() || one.OOSPrior > 0 {
		text += " · best " + goal.String()
	}
	if one.OOSPrior > 0 {
		text += " · prior " + metric.FormatShare(one.OOSPrior) + " " + one.OOSLabel
	}
	if one.Fault != eval.NoFault {
		text += " · with fault " + one.Fault
	}
	return text
}

// goal returns the objective that the threshold was selected by.
func (one TunedVariant) goal() tune.Objective {
	o, err := tune.ParseObjective(one.Objective)
	if err != nil { // only for a Tuning that the package tune has not computed
		return tune.Objective{}
	}
	return o
}

// isPlain reports whether the objective is the accuracy of the run itself.
func (one TunedVariant) isPlain() bool {
	return one.goal().Title() == (tune.Objective{}).Title() && one.OOSPrior == 0
}

func threshold(v float64) string { return strconv.FormatFloat(v, 'f', -1, 64) }
