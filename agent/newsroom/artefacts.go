package newsroom

import (
	"encoding/json"
	"fmt"
	"strings"

	"evalctl/agent/system"
)

// message is one of the history: what the user and the reply said, what the
// supervisor decided, what became of it.
type message struct {
	Role    string `json:"role"` // user, assistant or system
	Content string `json:"content"`
	Name    string `json:"name,omitempty"` // of the node that speaks; "": the conversation itself
}

type brief struct {
	Topic       text  `json:"topic"`
	Audience    text  `json:"audience"`
	Platform    text  `json:"platform"`
	Tone        text  `json:"tone"`
	Goals       texts `json:"goals"`
	MustInclude texts `json:"must_include"`
}

func (b brief) usable() bool { return !b.Topic.blank() }

type evidence struct {
	Summary text       `json:"summary"`
	Facts   list[fact] `json:"facts"`
}

type fact struct {
	Claim  text `json:"claim"`
	Source text `json:"source"`
}

func (e evidence) usable() bool { return !e.Summary.blank() || len(e.Facts) > 0 }
func (f fact) usable() bool     { return !f.Claim.blank() }

type block struct {
	Heading text  `json:"heading"`
	Points  texts `json:"points"`
}

func (b block) usable() bool { return !b.Heading.blank() || len(b.Points) > 0 }

type analysis struct {
	Image   text `json:"image"`
	Style   text `json:"style"`
	Palette text `json:"palette"`
	Notes   text `json:"notes"`
}

func (a analysis) usable() bool { return !a.Style.blank() || !a.Notes.blank() || !a.Palette.blank() }

type layout struct {
	Format   text          `json:"format"`
	Sections list[section] `json:"sections"`
}

type section struct {
	Title   text `json:"title"`
	Purpose text `json:"purpose"`
	Image   flag `json:"image"`
}

func (l layout) usable() bool  { return len(l.Sections) > 0 }
func (s section) usable() bool { return !s.Title.blank() || !s.Purpose.blank() }

type imagePlan struct {
	ID      text `json:"id"`
	Section text `json:"section"`
	Prompt  text `json:"prompt"`
	Size    text `json:"size"`
}

func (p imagePlan) usable() bool { return !p.Prompt.blank() }

type content struct {
	Title text  `json:"title"`
	Body  text  `json:"body"`
	Tags  texts `json:"tags"`
}

func (c content) usable() bool { return !c.Body.blank() }

type feedback struct {
	Approved bool  `json:"approved"`
	Comments texts `json:"comments"`
}

// question is what an agent asks the user. The key tells it from others, of this
// agent and the rest.
type question struct {
	Key      text `json:"key"`
	Question text `json:"question"`
}

// UnmarshalJSON never fails. A question that stands alone, or without a key, gets one
// that is the same whenever the same is asked.
func (q *question) UnmarshalJSON(raw []byte) error {
	var given struct {
		Key      text `json:"key"`
		Question text `json:"question"`
	}
	if json.Unmarshal(raw, &given) != nil {
		_ = json.Unmarshal(raw, &given.Question) // texts are whatever they are
	}
	q.Question, q.Key = given.Question, text(strings.TrimSpace(string(given.Key)))
	if q.Key == "" {
		q.Key = text(fmt.Sprintf("q-%08x", uint32(system.SeededHash(0, strings.TrimSpace(string(q.Question))))))
	}
	return nil
}

func (q question) usable() bool { return !q.Question.blank() }
