package proxy

import (
	"bytes"
	"errors"

	"evalctl/mocks/component"
	"evalctl/mocks/fault"
	"evalctl/mocks/jsontext"
)

// errUnchanged is returned if an answer contains nothing that the fault could change. For example,
// a text has no confidence to lower.
var errUnchanged = errors.New("the answer has nothing that it changes")

// corruptAnswer applies a fault to a complete JSON answer. seed selects between several forms of
// damage. If the fault changes nothing, it returns the original and errUnchanged.
func corruptAnswer(b []byte, kind fault.Kind, role component.Role, seed uint64) ([]byte, error) {
	v, err := jsontext.Parse(b)
	top, ok := v.(jsontext.Object)
	if err != nil || !ok {
		return nil, errors.New("the answer is not a JSON object")
	}
	before := jsontext.AppendValue(nil, v)
	corruptObject(top, kind, role, seed)
	if after := jsontext.AppendValue(nil, v); !bytes.Equal(after, before) {
		return after, nil
	}
	return b, errUnchanged
}

func corruptObject(top jsontext.Object, kind fault.Kind, role component.Role, seed uint64) {
	if role == component.RoleRetrieval || role == component.RoleSearchEngine {
		clearResults(top)
		return
	}
	choices := choicesOf(top)
	for i, one := range choices {
		choice, _ := one.(jsontext.Object)
		message, _ := choice.Find("message").(jsontext.Object)
		if message == nil {
			continue
		}
		original := answerOf(message)
		corrupted := kind.Corrupt(original, false, seed+uint64(i))
		setKey(&choice, "message", replaceContent(message, corrupted))
		if corrupted.FinishReason != "" {
			setKey(&choice, "finish_reason", corrupted.FinishReason)
		} else if len(corrupted.ToolCalls) < len(original.ToolCalls) {
			setKey(&choice, "finish_reason", "stop")
		}
		choices[i] = choice
	}
}
