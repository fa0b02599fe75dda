package importer

import (
	"fmt"
	"strings"
)

// readColumns imports any CSV file. The options name the columns for text, label, ID and split.
func readColumns(j *job) error {
	o := j.Options
	delimiter, err := o.delimiter()
	if err != nil {
		return err
	}
	if o.Text == o.Label {
		return &OptionError{Option: "label", Reason: "is the column of the text"}
	}
	t := table{delimiter: delimiter}
	for _, name := range []string{o.Text, o.Label, o.ID, o.Split} {
		if name != "" {
			t.required = append(t.required, name)
		}
	}
	return j.eachRecord(j.Path, t, func(at Position, r record) error {
		split := strings.TrimSpace(r.get(o.Split))
		if known, ok := splits[strings.ToLower(split)]; ok {
			split = known
		} else if split != "" {
			return j.reject(at, fmt.Sprintf("split %s is not train, dev or test", quoted(split)))
		}
		id := r.get(o.ID)
		if o.ID == "" {
			id = generatedID("csv", split, r.n)
		}
		return j.add(row{
			place: at,
			id:    id,
			split: split,
			turns: singleTurn(r.get(o.Text), r.get(o.Label)),
		})
	})
}
