package datasets

import (
	"crypto/sha256"
	"encoding/hex"
	stdjson "encoding/json"
	"fmt"
	"maps"
	"slices"
	"time"
	"unicode"
	"unicode/utf8"

	"github.com/go-json-experiment/json"
	"github.com/go-json-experiment/json/jsontext"

	"evalctl/agent"
	"evalctl/eval"
)

// record is a line of a dataset file before validation. A line has either the short form with text
// and label, or the full form with input and expect.
type record struct {
	ID    string   `json:"id"`
	Now   string   `json:"now"`
	Split string   `json:"split"`
	Tags  []string `json:"tags"`

	// fields that only the short form has
	Text   *string                   `json:"text"`
	Label  jsontext.Value            `json:"label"`
	Others map[string]jsontext.Value `json:",inline"`

	// fields that only the full form has
	fullTurn
	Turns []fullTurn `json:"turns"`
}

type fullTurn struct {
	Input  *agent.Turn    `json:"input"`
	Expect jsontext.Value `json:"expect"`
}

// labeled is a validated case with the labels of its turns.
type labeled struct {
	eval.Case
	label  string   // primary label of the last turn that has a label
	all    []string // labels accepted in any turn
	shared []string // those of all that are not tools of their turn
}

// add adds the accepted labels of a turn with the given tools of its own.
func (c *labeled) add(accepted eval.OneOf, tools []agent.Tool) {
	c.label = accepted.Primary()
	c.all = append(c.all, accepted...)
	if tools == nil {
		c.shared = append(c.shared, accepted...)
		return
	}
	names := agent.ToolNames(tools)
	for _, label := range accepted {
		if !slices.Contains(names, label) {
			c.shared = append(c.shared, label)
		}
	}
}

// ParseCase parses and validates a line of a dataset file. The returned case has no Pos. A field
// with the value null counts as absent.
func (s Schema) ParseCase(line []byte) (eval.Case, error) {
	c, err := s.decode(line, new(record))
	return c.Case, err
}

// decode parses and validates a line. It uses r as a buffer; the caller can use r again afterwards.
func (s Schema) decode(line []byte, r *record) (labeled, error) {
	*r = record{}
	if err := json.Unmarshal(line, r, json.RejectUnknownMembers(true)); err != nil {
		return labeled{}, explain(err)
	}
	if !isGiven(line) {
		return labeled{}, errNoObject
	}
	c := labeled{Case: eval.Case{ID: r.ID, Tags: r.Tags, Split: r.Split}}
	if err := s.fill(&c, r); err != nil {
		return labeled{}, err
	}
	sum := sha256.Sum256(line)
	c.LineHash = hex.EncodeToString(sum[:8])
	var err error
	c.Fingerprint, err = eval.NewCaseHash(c.Case)
	return c, err
}

func (s Schema) fill(c *labeled, r *record) error {
	if err := checkID(r.ID); err != nil {
		return err
	}
	if err := setNow(&c.Case, r.Now); err != nil {
		return err
	}
	if !slices.Contains([]string{"", "train", "dev", "test"}, r.Split) {
		return wrong("split", "%s is not train, dev or test", quoted(r.Split))
	}
	if err := s.turns(c, r); err != nil {
		return err
	}
	return checkTags(c.Tags)
}

// turns adds the turns of the line to the case. A line with a text field has the short form.
func (s Schema) turns(c *labeled, r *record) error {
	switch {
	case r.Text != nil:
		return s.short(c, r)
	case len(r.Others) > 0:
		name := slices.Sorted(maps.Keys(r.Others))[0]
		return inField(quoted(name),
			unknown("field", name, []string{"id", "text", "label", "input", "expect", "turns", "tags", "split", "now"}))
	case isGiven(r.Label):
		return wrong("label", "requires text; with input, use expect.%s", s.LabelField)
	case r.Input != nil && r.Turns != nil:
		return wrong("turns", "cannot be combined with input")
	case r.Turns != nil:
		return s.conversation(c, r)
	case r.Input == nil:
		return wrong("input", "is missing")
	case !isGiven(r.Expect):
		return wrong("expect", "is missing")
	}
	return s.turn(c, r.fullTurn)
}

func (s Schema) conversation(c *labeled, r *record) error {
	if isGiven(r.Expect) {
		return wrong("expect", "belongs into each of the turns")
	}
	if len(r.Turns) > maxTurns {
		return wrong("turns", "are more than %d", maxTurns)
	}
	for i, t := range r.Turns {
		if err := s.turn(c, t); err != nil {
			return inField(fmt.Sprintf("turns[%d]", i), err)
		}
	}
	if c.label == "" {
		return wrong("turns", "none of them has an expect.%s", s.LabelField)
	}
	return nil
}

// turn validates a turn of the full form and adds it to the case.
func (s Schema) turn(c *labeled, t fullTurn) error {
	if t.Input == nil {
		return wrong("input", "is missing")
	}
	if err := s.input(t.Input); err != nil {
		return inField("input", err)
	}
	if len(c.Turns) == 0 && t.Input.Delay > 0 {
		return wrong("input.after", "has no turn before it")
	}
	step := eval.LabeledTurn{Turn: *t.Input}
	if isGiven(t.Expect) {
		accepted, err := s.withTools(t.Input.Tools).expectation(t.Expect)
		if err == nil {
			err = s.checkOffered(accepted, t.Input.Tools)
		}
		if err != nil {
			return inField("expect", err)
		}
		c.add(accepted, t.Input.Tools)
		step.Expected = stdjson.RawMessage(t.Expect)
	}
	if err := s.checkTurn(*t.Input, t.Expect); err != nil {
		return err
	}
	c.Turns = append(c.Turns, step)
	return nil
}

// isGiven reports whether a JSON field is present and not null.
func isGiven(value jsontext.Value) bool { return value != nil && value.Kind() != 'n' }

func checkID(id string) error {
	switch {
	case id == "":
		return wrong("id", "is missing")
	case utf8.RuneCountInString(id) > maxID:
		return wrong("id", "%s has more than %d characters", quoted(id), maxID)
	}
	for _, r := range id {
		if !unicode.IsPrint(r) {
			return wrong("id", "%s holds a character that cannot be printed", quoted(id))
		}
	}
	return nil
}

func checkTags(tags []string) error {
	if len(tags) > maxTags {
		return wrong("tags", "are more than %d", maxTags)
	}
	for i, t := range tags {
		if t == "" {
			return wrong(fmt.Sprintf("tags[%d]", i), "is empty")
		}
		if slices.Contains(tags[:i], t) {
			return wrong(fmt.Sprintf("tags[%d]", i), "%s is given twice", quoted(t))
		}
	}
	return nil
}

// setNow parses the time at which the case takes place. It stores only the UTC offset, because the
// name of a time zone depends on the machine.
func setNow(c *eval.Case, now string) error {
	if now == "" {
		return nil
	}
	if err := c.Now.UnmarshalText([]byte(now)); err != nil {
		return wrong("now", "%s is not a time such as 2026-11-20T10:00:00+08:00", quoted(now))
	}
	switch _, offset := c.Now.Zone(); {
	case offset == 0:
		c.Now = c.Now.UTC()
	case c.Now.Location() == time.Local: // other locations have no name
		c.Now = c.Now.In(time.FixedZone("", offset))
	}
	return nil
}
