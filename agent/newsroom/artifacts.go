package newsroom

import (
	"encoding/json"
	"fmt"
	"strings"

	"evalctl/agent/system"
)

// message is one entry of the history: a message of the conversation, or a log entry about a
// decision or an agent's outcome.
type message struct {
	Role    string `json:"role"` // user, assistant or system
	Content string `json:"content"`
	// name of the node that added a log entry; "": a message of the conversation
	Name string `json:"name,omitempty"`
}

type brief struct {
	Topic       text  `json:"topic"`
	Audience    text  `json:"audience"`
	Platform    text  `json:"platform"`
	Tone        text  `json:"tone"`
	Goals       texts `json:"goals"`
	MustInclude texts `json:"must_include"`
}

func (b brief) usable() bool { return !b.Topic.isBlank() }

type evidence struct {
	Summary text       `json:"summary"`
	Facts   list[fact] `json:"facts"`
}

type fact struct {
	Claim  text `json:"claim"`
	Source text `json:"source"`
}

func (e evidence) usable() bool { return !e.Summary.isBlank() || len(e.Facts) > 0 }
func (f fact) usable() bool     { return !f.Claim.isBlank() }

type block struct {
	Heading text  `json:"heading"`
	Points  texts `json:"points"`
}

func (b block) usable() bool { return !b.Heading.isBlank() || len(b.Points) > 0 }

type analysis struct {
	Image   text `json:"image"`
	Style   text `json:"style"`
	Palette text `json:"palette"`
	Notes   text `json:"notes"`
}

func (a analysis) usable() bool {
	return !a.Style.isBlank() || !a.Notes.isBlank() || !a.Palette.isBlank()
}

type layout struct {
	Format   text          `json:"format"`
	Sections list[section] `json:"sections"`
}

type section struct {
	Title      text `json:"title"`
	Purpose    text `json:"purpose"`
	NeedsImage flag `json:"image"`
}

func (l layout) usable() bool  { return len(l.Sections) > 0 }
func (s section) usable() bool { return !s.Title.isBlank() || !s.Purpose.isBlank() }

type imagePlan struct {
	ID      text `json:"id"`
	Section text `json:"section"`
	Prompt  text `json:"prompt"`
	Size    text `json:"size"`
}

func (p imagePlan) usable() bool { return !p.Prompt.isBlank() }

type content struct {
	Title text  `json:"title"`
	Body  text  `json:"body"`
	Tags  texts `json:"tags"`
}

func (c content) usable() bool { return !c.Body.isBlank() }

type feedback struct {
	Approved bool  `json:"approved"`
	Comments texts `json:"comments"`
}

// question is an agent's question to the user. Its key is unique among the questions of all agents.
type question struct {
	Key      text `json:"key"`
	Question text `json:"question"`
}

// UnmarshalJSON decodes an object with a key and a question, or only the text of the question. It
// never fails. A question without a key gets a key derived from its text.
func (q *question) UnmarshalJSON(raw []byte) error {
	var given struct {
		Key      text `json:"key"`
		Question text `json:"question"`
	}
	if json.Unmarshal(raw, &given) != nil {
		_ = json.Unmarshal(raw, &given.Question) // cannot fail: text accepts any JSON value
	}
	q.Question, q.Key = given.Question, text(strings.TrimSpace(string(given.Key)))
	if q.Key == "" {
		q.Key = text(fmt.Sprintf("q-%08x", uint32(system.SeededHash(0, strings.TrimSpace(string(q.Question))))))
	}
	return nil
}

func (q question) usable() bool { return !q.Question.isBlank() }
