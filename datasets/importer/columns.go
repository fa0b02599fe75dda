package importer

import (
	"bytes"
	"cmp"
	"errors"
	"fmt"
	"io"
	"slices"
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
	c := columns{
		text:  o.Text,
		label: o.Label,
		id:    o.ID,
		split: o.Split,
	}
	t := table{delimiter: delimiter, choose: func(header []string) error {
		c.id = cmp.Or(c.id, usualColumn(header, usualColumns.id))
		return nil
	}}
	for _, name := range []string{o.Text, o.Label, o.ID, o.Split} {
		if name != "" {
			t.required = append(t.required, name)
		}
	}
	return j.eachRecord(j.Path, t, func(at Position, r record) error {
		one, err := c.row(at, r, &j.made, j.split)
		if err != nil {
			return j.reject(at, err.Error())
		}
		return j.add(one)
	})
}

// columns contains the names of the columns of a CSV file; "": the file has no such column.
type columns struct{ text, label, id, split string }

// row converts a record to a case. made creates the ID if the table has no column for it. allSplit is
// the split of all cases; "": the cases have their own.
func (c columns) row(at Position, r record, made *contentIDs, allSplit string) (row, error) {
	split, err := parseSplit(r.get(c.split))
	if err != nil {
		return row{}, err
	}
	one := row{
		place: at,
		id:    r.get(c.id),
		split: split,
		turns: singleTurn(r.get(c.text), r.get(c.label)),
	}
	if c.id == "" {
		one.id = made.id("csv", cmp.Or(allSplit, split), one.turns)
	}
	return one, nil
}

// usualColumns contains usual names of columns, the most likely first. They are compared without
// regard to case and surrounding spaces.
var usualColumns = struct{ text, label, id, split []string }{
	text: append(slices.Clone(textVars), "utterance", "sentence", "utt", "文本", "句子", "问题", "消息"),
	label: []string{"label", "intent", "category", "class", "expected", "target", "标签", "意图", "类别",
		"分类"},
	id:    []string{"id"},
	split: []string{"split", "partition"},
}

// choose sets the names of the columns that are not given, from the header of a table.
func (c *columns) choose(header []string) error {
	if err := c.guess(header, "column"); err != nil {
		return fmt.Errorf("header: %w", err)
	}
	for _, name := range []string{c.text, c.label, c.id, c.split} {
		if name != "" && !slices.Contains(header, name) {
			return fmt.Errorf("header: has no column %s (it has %s)", quoted(name), shownColumns(header))
		}
	}
	if c.text == c.label {
		return fmt.Errorf("header: column %s is both text and label: name both with --text-column and --label-column",
			quoted(c.text))
	}
	return nil
}

// guess sets the names that are not given to usual ones of the names that exist. what is the kind
// of name in the options, such as column.
func (c *columns) guess(names []string, what string) error {
	for _, one := range []struct {
		name     *string
		usual    []string
		role     string
		required bool
	}{
		{&c.text, usualColumns.text, "text", true},
		{&c.label, usualColumns.label, "label", true},
		{&c.id, usualColumns.id, "id", false},
		{&c.split, usualColumns.split, "split", false},
	} {
		if *one.name == "" {
			*one.name = usualColumn(names, one.usual)
		}
		if *one.name == "" && one.required {
			return fmt.Errorf("has no %s for the %s, such as %s (it has %s). Name it with --%s-%s",
				what, one.role, strings.Join(one.usual[:4], ", "), shownColumns(names), one.role, what)
		}
	}
	return nil
}

// usualColumn returns the column of the header with the most likely of the usual names; "": none.
func usualColumn(header, usual []string) string {
	for _, name := range usual {
		i := slices.IndexFunc(header, func(column string) bool {
			return strings.EqualFold(strings.TrimSpace(column), name)
		})
		if i >= 0 {
			return header[i]
		}
	}
	return ""
}

// ForEachCSVCase reads a CSV file with a header and calls do for each row, with its line number.
// line is the case in evalctl's format. If the row is no case, bad is the reason, and line is nil.
// Columns that the options do not name are found by their usual names. ForEachCSVCase returns an
// error of the whole file, or of do.
func ForEachCSVCase(path string, from io.Reader, o Options, do func(number int, line []byte, bad error) error) error {
	delimiter := rune(0)
	if o.Delimiter != "" {
		var err error
		if delimiter, err = o.delimiter(); err != nil {
			return &OptionError{"delimiter", err.Error()}
		}
	}
	in := newInput(io.NopCloser(from))
	if err := in.skipMark(); err != nil {
		return fileError(path, err)
	}
	c := columns{
		text:  o.Text,
		label: o.Label,
		id:    o.ID,
		split: o.Split,
	}
	var made contentIDs
	reject := func(at Position, reason string) error { return do(at.Line, nil, errors.New(oneLine(reason))) }
	return table{delimiter: delimiter, choose: c.choose}.each(in, path, reject, func(at Position, r record) error {
		if !slices.ContainsFunc(r.fields, func(field string) bool { return strings.TrimSpace(field) != "" }) {
			return nil // a blank row, as spreadsheets write it
		}
		one, err := c.row(at, r, &made, "")
		if err == nil {
			err = one.check()
		}
		if err != nil {
			return reject(at, err.Error())
		}
		line, err := one.line()
		if err != nil {
			return reject(at, err.Error())
		}
		return do(at.Line, bytes.TrimSpace(line), nil)
	})
}
