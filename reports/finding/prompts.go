package finding

import "evalctl/eval"

// unreadPrompts warns if variants with simulated models differ in their prompts.
func unreadPrompts(s suite) *Sentence {
	var names []string
	for _, c := range s.Conditions {
		if c.Fault == eval.NoFault {
			names = append(names, c.Name)
		}
	}
	if !s.HasUnreadPrompts(names...) {
		return nil
	}
	out := &Sentence{Kind: Prompts}
	out.add(eval.LabelBasedText)
	return out
}
