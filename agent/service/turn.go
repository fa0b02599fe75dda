package service

import (
	"encoding/json"
	"fmt"
	"maps"
	"slices"
	"strings"

	"evalctl/agent"
	"evalctl/agent/file"
)

func (in *request) turn() (agent.Turn, *problem) {
	for _, set := range []map[string]json.RawMessage{in.Options, in.State} {
		maps.DeleteFunc(set, func(_ string, raw json.RawMessage) bool { return string(raw) == "null" })
	}
	t := agent.Turn{
		Text:          in.Text,
		ButtonID:      in.Action,
		Session:       in.SessionID,
		User:          in.User,
		IsPublicAgent: true,
		Images:        in.Images,
		Documents:     in.Documents,
		Options:       in.Options,
		State:         in.State,
	}
	if p := in.check(); p != nil {
		return t, p
	}
	if in.Messages != nil {
		t.Batch, t.Text = in.Messages, agent.JoinBatch(in.Messages)
	}
	if len(in.History) > 0 {
		t.History = make([]agent.Message, len(in.History))
	}
	for i, m := range in.History {
		t.History[i] = m.toAgent()
	}
	if t.Session == "" {
		t.Session = newSessionID()
	}
	return t, in.MaskData.addTo(&t)
}

// coordinatesKey is the field of a turn's state that contains the coordinates of the mask.
const coordinatesKey = "coordinates"

func (in *request) check() *problem {
	if err := CheckSessionID(in.SessionID); err != nil {
		return malformed("sessionId: %v", err)
	}
	if err := CheckSessionID(in.User); err != nil {
		return malformed("user: %v", err)
	}
	if in.State[coordinatesKey] != nil {
		return malformed("state.%s: goes in maskData", coordinatesKey)
	}
	if p := in.checkMessages(); p != nil {
		return p
	}
	if p := checkImages("images", in.Images); p != nil {
		return p
	}
	for i, d := range in.Documents {
		if _, err := file.DecodeText([]byte(d.Content)); err != nil {
			return malformed("documents[%d]: %s %v", i, quoteShort(d.Name), err)
		}
	}
	for i, m := range in.History {
		if p := m.check(fmt.Sprintf("history[%d]", i)); p != nil {
			return p
		}
	}
	return nil
}

func (in *request) checkMessages() *problem {
	switch {
	case in.Messages == nil:
		return nil
	case len(in.Messages) == 0:
		return malformed("messages: there are none")
	case len(in.Messages) > agent.MaxBatch:
		return malformed("messages: there are more than %d", agent.MaxBatch)
	case in.Text != "":
		return malformed("text: does not go with messages")
	}
	for i, m := range in.Messages {
		if strings.TrimSpace(m) == "" {
			return malformed("messages[%d]: is empty", i)
		}
	}
	return nil
}

func (m message) check(at string) *problem {
	if !slices.Contains([]string{"user", "assistant", "system"}, m.Role) {
		return malformed("%s.role: %s is not user, assistant or system", at, quoteShort(m.Role))
	}
	if p := checkImages(at+".images", m.Images); p != nil {
		return p
	}
	if p := checkGenerated(at+".generatedImageUrl", m.GeneratedImageURL); p != nil {
		return p
	}
	return checkGenerated(at+".generated_image_url", m.SnakeCaseURL)
}

func checkGenerated(field, url string) *problem {
	if url == "" {
		return nil // the message has no generated image
	}
	return checkImage(field, url)
}

// addTo adds the mask, the marked image and the coordinates to a turn.
func (m *maskData) addTo(t *agent.Turn) *problem {
	if m == nil {
		return nil
	}
	t.Mask = maskURL(m.Base64)
	if m.ImageURL != "" {
		if p := checkImage("maskData.imageUrl", m.ImageURL); p != nil {
			return p
		}
		t.Images = append(t.Images, m.ImageURL)
	}
	if m.Coordinates == nil {
		return nil
	}
	for i, c := range m.Coordinates {
		if c.X == nil || c.Y == nil {
			return malformed("maskData.coordinates[%d]: requires x and y", i)
		}
	}
	raw, err := json.Marshal(m.Coordinates)
	if err != nil {
		return malformed("maskData.coordinates: %v", err)
	}
	if t.State == nil {
		t.State = map[string]json.RawMessage{}
	}
	t.State[coordinatesKey] = raw
	return nil
}
