package finding

import "evalctl/eval"

// unreadPrompts returns the warning that variants differ in their prompts but their simulated
// models do not read prompts.
func unreadPrompts(s suite) *Sentence {
	var names []string
	for _, c := range s.Conditions {
		if c.Fault == eval.NoFault {
			names = append(names, c.Variant)
		}
	}
	if !s.HasUnreadPrompts(names...) {
		return nil
	}
	out := &Sentence{Kind: KindPromptsNotRead}
	out.add(eval.UnreadPromptsWarning)
	return out
}
