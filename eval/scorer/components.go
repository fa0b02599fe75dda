package scorer

import (
	"context"
	"encoding/json"
	"fmt"

	"github.com/google/jsonschema-go/jsonschema"

	"evalctl/agent/trace"
	"evalctl/eval"
)

// UIComponents scores the user interface components that an agent generates. Every turn must have
// at least one component, and every component must conform to the JSON Schema.
type UIComponents struct{ schema *jsonschema.Resolved }

var _ eval.Scorer = UIComponents{}

// NewUIComponents returns a UIComponents scorer for a JSON Schema (draft 2020-12). It returns an
// error if the schema is invalid.
func NewUIComponents(schema []byte) (UIComponents, error) {
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

// Score passes if all components conform. Otherwise its reason names the first one that does not.
// An outcome without turns is unscored.
func (s UIComponents) Score(_ context.Context, _ eval.Case, o eval.Outcome) (eval.Score, error) {
	return streams("genui.conform", o, s.check), nil
}

// check returns what is wrong with the components of a turn, or "" if nothing is.
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
