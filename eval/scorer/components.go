package scorer

import (
	"context"
	"encoding/json"
	"fmt"

	"github.com/google/jsonschema-go/jsonschema"

	"evalctl/agent/trace"
	"evalctl/eval"
)

// UIComponents scores the components sent to a user interface: each turn has at least one, and each
// conforms to the schema.
type UIComponents struct{ schema *jsonschema.Resolved }

var _ eval.Scorer = UIComponents{}

// NewComponents parses the JSON Schema (draft 2020-12) of a component.
func NewComponents(schema []byte) (UIComponents, error) {
	var s jsonschema.Schema
	if err := json.Unmarshal(schema, &s); err != nil {
		return UIComponents{}, fmt.Errorf("component schema: %w", err)
	}
	r, err := s.Resolve(nil)
	if err != nil {
		return UIComponents{}, fmt.Errorf("component schema: %w", err)
	}
	return UIComponents{schema: r}, nil
}

// Score names the first component that does not conform. An outcome without turns is unscored.
func (s UIComponents) Score(_ context.Context, _ eval.Case, o eval.Outcome) (eval.Score, error) {
	return streams("genui.conform", o, s.check), nil
}

// check returns the problem of a turn's components, "" if none.
func (s UIComponents) check(events []trace.Event) string {
	n := 0
	for _, e := range events {
		if e.Kind != trace.KindGenUIComponent {
			continue
		}
		n++
		var component any
		if err := json.Unmarshal(e.Data, &component); err != nil {
			return fmt.Sprintf("component %d is not JSON: %v", n, err)
		}
		if err := s.schema.Validate(component); err != nil {
			return fmt.Sprintf("component %d: %v", n, err)
		}
	}
	if n == 0 {
		return "no component"
	}
	return ""
}
