package datasets

import (
	"crypto/sha256"
	"encoding/hex"
	stdjson "encoding/json"
	"errors"
	"fmt"
	"maps"
	"slices"
	"strings"
	"time"

	"github.com/go-json-experiment/json"
	"github.com/go-json-experiment/json/jsontext"

	"evalctl/agent"
	"evalctl/eval"
)

// fullCase is the full form of a line.
type fullCase struct {
	ID     string             `json:"id"`
	Input  *agent.Turn        `json:"input"`
	Expect stdjson.RawMessage `json:"expect"`
	Turns  []fullTurn         `json:"turns"`
	Now    string             `json:"now"`
	Tags   []string           `json:"tags"`
	Split  string             `json:"split"`
}

type fullTurn struct {
	Input  *agent.Turn        `json:"input"`
	Expect stdjson.RawMessage `json:"expect"`
}

// decode reads a line in the full or the short form: a line with a text of its
// own is a short one.
func (s Schema) decode(l line) (eval.Case, error) {
	c, err := s.parse(l.text)
	c.Pos = l.pos
	if err == nil {
		err = s.check(c)
	}
	if err != nil {
		return c, fmt.Errorf("%s: %w", l.pos, err)
	}
	sum := sha256.Sum256(l.text)
	c.Hash = hex.EncodeToString(sum[:8])
	return c, nil
}

func (s Schema) parse(text []byte) (eval.Case, error) {
	var fields map[string]jsontext.Value
	if err := json.Unmarshal(text, &fields); err != nil {
		return eval.Case{}, explain(err)
	}
	if _, short := fields["text"]; short {
		return s.short(fields)
	}
	var f fullCase
	if err := json.Unmarshal(text, &f, json.RejectUnknownMembers(true)); err != nil {
		return eval.Case{}, explain(err)
	}
	return f.toCase()
}

func (f fullCase) toCase() (eval.Case, error) {
	c := eval.Case{ID: f.ID, Tags: f.Tags, Split: f.Split}
	turns := f.Turns
	switch {
	case f.Input != nil && turns != nil:
		return c, errors.New("has both input and turns")
	case f.Input != nil:
		turns = []fullTurn{{Input: f.Input, Expect: f.Expect}}
	case f.Expect != nil:
		return c, errors.New("expect: belongs into each of the turns")
	}
	for i, t := range turns {
		if t.Input == nil {
			return c, fmt.Errorf("turns[%d].input: is missing", i)
		}
		c.Turns = append(c.Turns, eval.Step{Turn: *t.Input, Want: t.Expect})
	}
	return c, setNow(&c, f.Now)
}

// short reads {"id","text","label"}; other strings, and yes or no, become tags.
func (s Schema) short(fields map[string]jsontext.Value) (eval.Case, error) {
	var c eval.Case
	var text, now string
	for _, name := range slices.Sorted(maps.Keys(fields)) {
		var err error
		switch value := fields[name]; name {
		case "id":
			err = json.Unmarshal(value, &c.ID)
		case "text":
			err = json.Unmarshal(value, &text)
		case "label":
		case "split":
			err = json.Unmarshal(value, &c.Split)
		case "now":
			err = json.Unmarshal(value, &now)
		default:
			var tag string
			tag, err = asTag(value)
			c.Tags = append(c.Tags, name+":"+tag)
		}
		if err != nil {
			return c, fmt.Errorf("field %s: does not take %s", name, fields[name])
		}
	}
	step := eval.Step{Turn: agent.Turn{Text: text}}
	if label, ok := fields["label"]; ok {
		step.Want = fmt.Appendf(nil, "{%q:%s}", s.Label, label)
	}
	c.Turns = []eval.Step{step}
	return c, setNow(&c, now)
}

// asTag reads a string, or a yes or no.
func asTag(value jsontext.Value) (tag string, err error) {
	if k := value.Kind(); k == 't' || k == 'f' {
		return value.String(), nil
	}
	err = json.Unmarshal(value, &tag)
	return tag, err
}

func setNow(c *eval.Case, now string) (err error) {
	if now == "" {
		return nil
	}
	if c.Now, err = time.Parse(time.RFC3339, now); err != nil {
		return fmt.Errorf("now: %q is no time like 2026-11-20T10:00:00+08:00", now)
	}
	return nil
}

// check is what both forms must satisfy.
func (s Schema) check(c eval.Case) error {
	switch {
	case c.ID == "":
		return errors.New("id: is missing")
	case len(c.Turns) == 0:
		return errors.New("input: is missing")
	case !slices.Contains([]string{"", "train", "dev", "test"}, c.Split):
		return fmt.Errorf("split: %q is none of train, dev, test", c.Split)
	}
	judged := false
	for i, t := range c.Turns {
		if err := s.turn(t.Turn); err != nil {
			return fmt.Errorf("turn %d: %w", i+1, err)
		}
		if t.Want == nil {
			continue
		}
		judged = true
		if err := s.expectation(t.Want); err != nil {
			return err
		}
	}
	if !judged {
		return fmt.Errorf("has no label: give label, or expect.%s", s.Label)
	}
	return nil
}

func (s Schema) turn(t agent.Turn) error {
	if strings.TrimSpace(t.Text) == "" && len(t.Images) == 0 && len(t.Documents) == 0 {
		return errors.New("text: is empty")
	}
	for i, u := range t.Images {
		if !strings.HasPrefix(u, "http://") && !strings.HasPrefix(u, "https://") && !strings.HasPrefix(u, "data:image/") {
			return fmt.Errorf("input.images[%d]: is no http, https or data:image URL", i)
		}
	}
	for i, m := range t.History {
		if !slices.Contains([]string{"user", "assistant", "system"}, m.Role) {
			return fmt.Errorf("input.history[%d].role: %q is none of user, assistant, system", i, m.Role)
		}
	}
	return s.options(t.Options)
}

// explain tells a JSON error in the words of the file, not of Go's types.
func explain(err error) error {
	var syntax *jsontext.SyntacticError
	if errors.As(err, &syntax) {
		return fmt.Errorf("is not valid JSON: %s", strings.TrimPrefix(syntax.Error(), "jsontext: "))
	}
	var semantic *json.SemanticError
	if !errors.As(err, &semantic) {
		return err
	}
	field := strings.ReplaceAll(strings.TrimPrefix(string(semantic.JSONPointer), "/"), "/", ".")
	if errors.Is(err, json.ErrUnknownName) {
		return fmt.Errorf("unknown field %q", field)
	}
	if field == "" {
		return errors.New("is not a JSON object")
	}
	return fmt.Errorf("field %s: does not take a JSON %v", field, semantic.JSONKind)
}
