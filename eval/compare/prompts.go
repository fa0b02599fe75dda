package compare

import (
	"cmp"

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
	Diff      string `json:"diff"` // in unified format
}

// promptChanges lists the prompts of a candidate that differ from those of the first. A prompt that
// only one of them has is not compared.
func promptChanges(candidate int, first, other []Prompt) (changes []PromptChange) {
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
