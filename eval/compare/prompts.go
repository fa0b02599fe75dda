package compare

import (
	"cmp"
	"slices"

	udiff "github.com/aymanbagabas/go-udiff"
)

// Prompt is the text of a prompt that a run stored.
type Prompt struct {
	Suite   string
	Variant string
	Setting string // the setting that replaces the prompt
	File    string // name of the user's file; "": the prompt is built in
	ID      string
	Text    string
}

// PromptChange is a prompt that differs between two candidates.
type PromptChange struct {
	Candidate int    `json:"candidate"`      // index of the candidate that is compared with the first
	Setting   string `json:"setting"`        // name of the setting, such as router-prompt
	From      string `json:"from,omitempty"` // name of the file; "": the prompt is built in
	To        string `json:"to,omitempty"`
	OnlyIn    *int   `json:"only_in,omitempty"` // index of the candidate that alone has the prompt; nil: both have it
	Diff      string `json:"diff"`              // in unified format; "": only one of them has the prompt
}

// promptChanges lists the prompts of a candidate that differ from those of the first, and those that
// only one of them has. If a candidate has no prompts at all, such as a baseline model, only the
// other's prompts that the user has given are listed.
func promptChanges(candidate int, first, other []Prompt) (changes []PromptChange) {
	only := func(in int, list, than []Prompt) {
		for _, p := range list {
			isCommon := slices.ContainsFunc(than, func(o Prompt) bool { return o.Setting == p.Setting })
			if !isCommon && (p.File != "" || len(than) > 0) {
				one := PromptChange{
					Candidate: candidate,
					Setting:   p.Setting,
					From:      p.File,
					OnlyIn:    &in,
				}
				if in > 0 {
					one.From, one.To = "", p.File
				}
				changes = append(changes, one)
			}
		}
	}
	only(0, first, other)
	only(candidate, other, first)
	for _, a := range first {
		for _, b := range other {
			if a.Setting != b.Setting || a.ID == b.ID {
				continue
			}
			changes = append(changes, PromptChange{
				Candidate: candidate,
				Setting:   a.Setting,
				From:      a.File,
				To:        b.File,
				Diff: udiff.Unified(cmp.Or(a.File, a.Setting), cmp.Or(b.File, b.Setting),
					withNewline(a.Text), withNewline(b.Text)),
			})
		}
	}
	return changes
}

// withNewline ends a text with a line break, because prompts are stored without one.
func withNewline(text string) string { return text + "\n" }

// promptsOf returns the prompts of a variant.
func (s RunData) promptsOf(p sideKey) (prompts []Prompt) {
	for _, one := range s.Prompts {
		if one.Suite == p.suite && one.Variant == p.variant {
			prompts = append(prompts, one)
		}
	}
	return prompts
}
