package main

import (
	"encoding/base64"
	"encoding/json"
	"errors"
	"fmt"
	"net/http"
	"os"
	"strings"

	"evalctl/agent"
	"evalctl/agent/trace"
)

// scene shows an answer in a terminal while it comes.
type scene struct {
	out    *printer
	inText bool   // the last thing shown was a piece of text without its line end
	drawn  string // address of the last picture shown
}

func (s *scene) event(e trace.Event) {
	switch e.Kind {
	case trace.KindChunk:
		s.out.printf("%s", e.Text)
		s.inText = !strings.HasSuffix(e.Text, "\n")
	case trace.KindSpan:
		if e.Span.Error != "" {
			s.line("! %-8s %s: %s", e.Node, e.Span.Error, oneLine(errors.New(e.Span.Message)))
		}
	case trace.KindBanner:
		s.line("· %s", e.Text)
	case trace.KindThought:
		s.line("· %-8s %s", e.Node, e.Text)
	case trace.KindComponent:
		s.component(e.Data)
	}
}

// component shows what a user interface would draw.
func (s *scene) component(data json.RawMessage) {
	var c struct {
		WidgetType string `json:"widgetType"`
		Props      struct {
			ImageURL string `json:"imageUrl"`
			Text     string `json:"text"`
			State    string `json:"state"`
			Actions  []struct {
				Label string `json:"label"`
			} `json:"actions"`
		} `json:"props"`
	}
	if err := json.Unmarshal(data, &c); err != nil {
		s.line("! a component that is no JSON: %v", err)
		return
	}
	switch c.WidgetType {
	case "SmartCanvas":
		s.picture(c.Props.ImageURL)
	case "ActionPanel":
		var labels []string
		for _, a := range c.Props.Actions {
			labels = append(labels, "["+a.Label+"]")
		}
		s.line("%s", strings.Join(labels, " "))
	default:
		s.line("%s", c.Props.Text)
	}
}

// line begins a line of its own.
func (s *scene) line(format string, args ...any) {
	s.endText()
	s.out.printf(format+"\n", args...)
}

func (s *scene) endText() {
	if s.inText {
		s.out.printf("\n")
		s.inText = false
	}
}

// end shows what was made and is not in the text.
func (s *scene) end(r agent.Reply) {
	s.endText()
	if r.GeneratedImageURL != "" && r.GeneratedImageURL != s.drawn {
		s.picture(r.GeneratedImageURL)
	}
}

func (s *scene) picture(url string) {
	s.drawn = url
	s.line("▣ %s", url)
}

// maxAttachment is what image services take.
const maxAttachment = 10 << 20

// attachment is an http address as it is, or a file as a data URL.
func attachment(what string) (string, error) {
	if strings.HasPrefix(what, "http://") || strings.HasPrefix(what, "https://") || strings.HasPrefix(what, "data:image/") {
		return what, nil
	}
	if what == "" {
		return "", errors.New("wants a file or an address")
	}
	info, err := os.Stat(what)
	switch {
	case err != nil:
		return "", err
	case !info.Mode().IsRegular():
		return "", fmt.Errorf("%s is no file", what)
	case info.Size() > maxAttachment:
		return "", fmt.Errorf("%s has %d bytes, more than %d", what, info.Size(), maxAttachment)
	}
	b, err := os.ReadFile(what)
	if err != nil {
		return "", err
	}
	kind := http.DetectContentType(b)
	if !strings.HasPrefix(kind, "image/") {
		return "", fmt.Errorf("%s is no picture but %s", what, kind)
	}
	return "data:" + kind + ";base64," + base64.StdEncoding.EncodeToString(b), nil
}
